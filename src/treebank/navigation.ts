import { UsageError } from '../errors.ts';
import type { DependencyTree, Sentence } from './sentence.ts';
import { preorder } from './tree.ts';

/**
 * Makes a dependency tree easy to walk: the sentence's, or a parser's. Tokens are numbered from 1; 0 is the artificial root.
 *
 *     const tree = treeOf(sentence, parser.parse(sentence));
 *     tree.children(2).map((d) => `${sentence.forms[d]} ${tree.label(d)}`);
 */
export const treeOf = (sentence: Sentence, tree: DependencyTree = sentence): SentenceTree =>
  new SentenceTree(sentence, tree);

/** A dependency tree with methods for walking it. Tokens that do not reach the root have no ancestor for `dominates`. */
export class SentenceTree {
  /** Computed by the first method that needs it. */
  private index: { enter: Int32Array; leave: Int32Array; order: Int32Array } | undefined;

  constructor(
    readonly sentence: Sentence,
    private readonly tree: DependencyTree,
  ) {
    if (tree.heads.length !== sentence.length + 1)
      throw new UsageError(`a tree of ${tree.heads.length - 1} tokens for a sentence of ${sentence.length}`);
  }

  /** The head of a token: 0 for the artificial root, −1 for none. */
  parent(d: number): number {
    return this.tree.heads[this.checked(d)];
  }

  label(d: number): string {
    return this.tree.labels[this.checked(d)];
  }

  /** The dependents of a token (of 0: the roots) from left to right; with `label`, only those with that label. */
  children(h: number, label?: string): number[] {
    const { heads, labels } = this.tree;
    const found: number[] = [];
    for (let d = 1; d < heads.length; d++)
      if (heads[d] === this.checked(h) && (label === undefined || labels[d] === label)) found.push(d);
    return found;
  }

  /** The ancestors of a token, the nearest first, without the artificial root. */
  ancestors(d: number): number[] {
    const found: number[] = [];
    for (let h = this.parent(d); h > 0 && found.length < this.sentence.length; h = this.parent(h))
      found.push(h);
    return found;
  }

  /** The tokens on the path between two tokens, both included; empty if it leads through the artificial root. */
  path(from: number, to: number): number[] {
    const [up, down] = [from, to].map((d) => [this.checked(d), ...this.ancestors(d)]) as [number[], number[]];
    const top = up.find((d) => down.includes(d));
    if (top === undefined) return [];
    return [...up.slice(0, up.indexOf(top) + 1), ...down.slice(0, down.indexOf(top)).reverse()];
  }

  /** Whether `h` is an ancestor of `d`; the artificial root is one of every token that reaches it. */
  dominates(h: number, d: number): boolean {
    const { enter, leave } = this.indices();
    return h !== d && enter[this.checked(d)] > enter[this.checked(h)] && enter[d] < leave[h];
  }

  /** A token and its descendants, from left to right. */
  subtree(h: number): number[] {
    const { enter, leave, order } = this.indices();
    if (enter[this.checked(h)] === 0) return [h];
    return [...order.subarray(enter[h], leave[h])].filter((d) => d > 0).sort((a, b) => a - b);
  }

  /** The first and the last token of a subtree. */
  span(h: number): { readonly first: number; readonly last: number } {
    const tokens = this.subtree(h);
    return { first: tokens[0] ?? h, last: tokens.at(-1) ?? h };
  }

  /** Whether a subtree covers its span without a gap. */
  isProjective(h: number): boolean {
    const tokens = this.subtree(h);
    return tokens.at(-1)! - tokens[0] + 1 === tokens.length;
  }

  /** The projective yield of `h`: the longest run of consecutive tokens of its subtree that includes `h`. */
  projectiveYield(h: number): number[] {
    const tokens = this.subtree(h);
    const at = tokens.indexOf(h);
    return tokens.filter((d, i) => d - h === i - at);
  }

  private indices() {
    if (this.index === undefined) {
      const { enter, leave } = preorder(this.tree.heads);
      const order = new Int32Array(enter.length + 1);
      enter.forEach((place, d) => {
        if (place > 0) order[place] = d;
      });
      this.index = { enter, leave, order };
    }
    return this.index;
  }

  private checked(d: number): number {
    if (Number.isInteger(d) && d >= 0 && d <= this.sentence.length) return d;
    throw new UsageError(`token ${d} of a sentence of ${this.sentence.length}`);
  }
}
