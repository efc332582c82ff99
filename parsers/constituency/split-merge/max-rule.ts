import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { type GrowingTree, unbinarized } from '../binarize.ts';
import { type ReadonlyForest, SAME } from './forest.ts';
import type { CoarseTables } from './latent-grammar.ts';

const LEAST = 1e-10;

export interface MaxRuleNode {
  readonly symbol: number;
  /** The item of the forest, and the `SAME` item above it, or itself. */
  readonly item: number;
  readonly above: number;
  /** The place of the node above; −1: none. */
  readonly parent: number;
  /** The word, of a tag; else −1. */
  readonly word: number;
  /** The phrases that the rule below it passes through. */
  readonly path: readonly string[];
  readonly score: number;
}

/**
 * The tree whose rules have the largest product of probabilities, each that of the rule over its words in all trees
 * together: max-rule-product (Petrov & Klein 2007, section 4); by several grammars, the product of all theirs
 * (Petrov 2010).
 */
export class MaxRule {
  private scores = new Float64Array(0);
  private own = new Float64Array(0);
  private edgeCount = 0;

  constructor(private readonly grammar: Pick<CoarseTables, 'labels' | 'paths'>) {}

  start({ edgeCount }: ReadonlyForest): void {
    this.edgeCount = edgeCount;
    if (this.scores.length < edgeCount) {
      this.scores = new Float64Array(2 * edgeCount);
      this.own = new Float64Array(2 * edgeCount);
    }
    this.scores.fill(0, 0, edgeCount);
  }

  /**
   * Adds what one grammar says.
   *
   * @param coarseEdges of every edge of its forest, that of the coarse forest
   * @param weights how probable its edges are, together as much as `total`
   */
  add(edgeCount: number, coarseEdges: Int32Array, weights: Float64Array, total: number): void {
    const { scores, own } = this;
    own.fill(0, 0, this.edgeCount);
    for (let edge = 0; edge < edgeCount; edge++) own[coarseEdges[edge]] += weights[edge] / total;
    for (let edge = 0; edge < this.edgeCount; edge++) scores[edge] += Math.log(Math.max(own[edge], LEAST));
  }

  tree(forest: ReadonlyForest, forms: readonly string[]): PhraseTree {
    const root: GrowingTree = { label: undefined, form: undefined, children: [] };
    /** Where what is below each node goes. */
    const places: GrowingTree[][] = [];
    for (const { symbol, parent, word, path } of this.derivation(forest)) {
      const node: GrowingTree = { label: this.grammar.labels[symbol], form: forms[word], children: [] };
      (parent === -1 ? root.children : places[parent]).push(node);
      places.push(this.throughPath(node, path));
    }
    return unbinarized(root)[0];
  }

  /** The same rule by rule, every node before those below it, the left ones before the right ones. */
  derivation(forest: ReadonlyForest): MaxRuleNode[] {
    const { edges } = this.best(forest);
    const wordOf = new Map<number, number>();
    for (let leaf = 0; leaf < forest.leafCount; leaf++) wordOf.set(forest.leaves[leaf], forest.words[leaf]);
    const nodes: MaxRuleNode[] = [];
    const pending = [{ above: forest.root, parent: -1 }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { above, parent } = next;
      const item = this.withoutSame(forest, edges, above);
      const edge = edges[item];
      const path = edge === -1 ? [] : this.grammar.paths[forest.rules[edge]];
      const score = edge === -1 ? 0 : this.scores[edge];
      nodes.push({
        symbol: forest.symbols[item],
        item,
        above,
        parent,
        word: wordOf.get(item) ?? -1,
        path,
        score,
      });
      if (edge === -1) continue;
      const here = nodes.length - 1;
      // The left child and its descendants come first.
      if (forest.rights[edge] !== -1) pending.push({ above: forest.rights[edge], parent: here });
      pending.push({ above: forest.lefts[edge], parent: here });
    }
    return nodes;
  }

  /** For each item, the best edge that makes it, −1 of words; and what all rules of its best tree score. */
  best(forest: ReadonlyForest): { readonly edges: Int32Array; readonly scores: Float64Array } {
    const { itemCount, edgeCount, parents, lefts, rights, rules } = forest;
    const best = new Float64Array(itemCount).fill(Number.NEGATIVE_INFINITY);
    const edges = new Int32Array(itemCount).fill(-1);
    for (let leaf = 0; leaf < forest.leafCount; leaf++) best[forest.leaves[leaf]] = 0;
    for (let edge = 0; edge < edgeCount; edge++) {
      const own = rules[edge] === SAME ? 0 : this.scores[edge];
      const score = own + best[lefts[edge]] + (rights[edge] === -1 ? 0 : best[rights[edge]]);
      if (score <= best[parents[edge]]) continue;
      best[parents[edge]] = score;
      edges[parents[edge]] = edge;
    }
    return { edges, scores: best };
  }

  private withoutSame({ rules, lefts }: ReadonlyForest, edges: Int32Array, item: number): number {
    const edge = edges[item];
    return edge !== -1 && rules[edge] === SAME ? lefts[edge] : item;
  }

  /** Adds the phrases that a rule passes through; returns where what is below them goes. */
  private throughPath(node: GrowingTree, path: readonly string[]): GrowingTree[] {
    let { children } = node;
    for (const label of path) {
      const inner: GrowingTree = { label, form: undefined, children: [] };
      children.push(inner);
      children = inner.children;
    }
    return children;
  }
}
