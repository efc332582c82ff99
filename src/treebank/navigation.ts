import { UsageError } from '../errors.ts';
import type { DependencyTree, Sentence } from './sentence.ts';
import { preorder } from './tree.ts';

/**
 * Walks a sentence's tree: its own, or a parse's. Tokens are numbers from 1, as everywhere; 0 is the artificial root.
 *
 *     const tree = treeOf(sentence, parser.parse(sentence));
 *     tree.children(2).map((d) => `${sentence.forms[d]} ${tree.label(d)}`);
 */
export const treeOf = (sentence: Sentence, tree: DependencyTree = sentence): SentenceTree =>
  new SentenceTree(sentence, tree);

/** Indices are made at the first question that needs them. Tokens that do not reach the root stand below nothing. */
export class SentenceTree {
  private index: { enter: Int32Array; leave: Int32Array; order: Int32Array } | undefined;

  constructor(
    readonly sentence: Sentence,
    private readonly tree: DependencyTree,
  ) {
    if (tree.heads.length !== sentence.length + 1)
      throw new UsageError(`a tree of ${tree.heads.length - 1} tokens for a sentence of ${sentence.length}`);
  }

  /** The head: 0 for the root, −1 for none. */
  parent(d: number): number {
    return this.tree.heads[this.checked(d)]!;
  }

  label(d: number): string {
    return this.tree.labels[this.checked(d)]!;
  }

  /** The dependents of a token (0: the roots), from left to right; with `label`, those that have it. */
  children(h: number, label?: string): number[] {
    const { heads, labels } = this.tree;
    const found: number[] = [];
    for (let d = 1; d < heads.length; d++)
      if (heads[d] === this.checked(h) && (label === undefined || labels[d] === label)) found.push(d);
    return found;
  }

  /** The heads above a token, up to that below the artificial root. */
  ancestors(d: number): number[] {
    const found: number[] = [];
    for (let h = this.parent(d); h > 0 && found.length < this.sentence.length; h = this.parent(h))
      found.push(h);
    return found;
  }

  /** The tokens on the way from one to another, both included: up to the lowest token above both, and down. Empty if only the root is. */
  path(from: number, to: number): number[] {
    const [up, down] = [from, to].map((d) => [this.checked(d), ...this.ancestors(d)]) as [number[], number[]];
    const top = up.find((d) => down.includes(d));
    if (top === undefined) return [];
    return [...up.slice(0, up.indexOf(top) + 1), ...down.slice(0, down.indexOf(top)).reverse()];
  }

  /** Whether `h` stands above `d`; the artificial root above all that reach it. */
  dominates(h: number, d: number): boolean {
    const { enter, leave } = this.indices();
    return h !== d && enter[this.checked(d)]! > enter[this.checked(h)]! && enter[d]! < leave[h]!;
  }

  /** A token and all below it, from left to right. */
  subtree(h: number): number[] {
    const { enter, leave, order } = this.indices();
    if (enter[this.checked(h)] === 0) return [h];
    return [...order.subarray(enter[h]!, leave[h]!)].filter((d) => d > 0).sort((a, b) => a - b);
  }

  /** The first and the last token of the subtree. */
  span(h: number): { readonly first: number; readonly last: number } {
    const tokens = this.subtree(h);
    return { first: tokens[0] ?? h, last: tokens.at(-1) ?? h };
  }

  /** Whether the subtree has all tokens of its span. */
  isProjective(h: number): boolean {
    const tokens = this.subtree(h);
    return tokens.at(-1)! - tokens[0]! + 1 === tokens.length;
  }

  /** The projective yield: the longest run of the subtree's tokens, without a gap, that has `h`. */
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
