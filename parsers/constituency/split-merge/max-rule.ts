import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { type GrowingTree, unbinarized } from '../binarize.ts';
import { type ReadonlyForest, SAME } from './forest.ts';
import type { CoarseTables } from './latent-grammar.ts';

const LEAST = 1e-10;

export interface MaxRuleNode {
  readonly symbol: number;
  /** An item of the forest, and the `SAME` item above it, or itself. */
  readonly item: number;
  readonly above: number;
  readonly parent: number;
  /** The word, of a tag; else −1. */
  readonly word: number;
  /** The phrases along the rule below it. */
  readonly path: readonly string[];
  readonly score: number;
}

/**
 * The tree with the largest product of its rules' posterior probabilities: max-rule-product (Petrov & Klein
 * 2007, section 4); with several grammars, the product over all of them (Petrov 2010).
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
   * Adds one grammar's posteriors.
   * @param coarseEdges the coarse edge of each edge of its forest
   * @param weights posteriors of its edges, not yet divided by `total`
   */
  add(edgeCount: number, coarseEdges: Int32Array, weights: Float64Array, total: number): void {
    const { scores, own } = this;
    own.fill(0, 0, this.edgeCount);
    for (let edge = 0; edge < edgeCount; edge++) own[coarseEdges[edge]] += weights[edge] / total;
    for (let edge = 0; edge < this.edgeCount; edge++) scores[edge] += Math.log(Math.max(own[edge], LEAST));
  }

  tree(forest: ReadonlyForest, forms: readonly string[]): PhraseTree {
    const root: GrowingTree = { label: undefined, form: undefined, children: [] };
    /** The children's list to which each node adds. */
    const places: GrowingTree[][] = [];
    for (const { symbol, parent, word, path } of this.derivation(forest)) {
      const node: GrowingTree = { label: this.grammar.labels[symbol], form: forms[word], children: [] };
      (parent === -1 ? root.children : places[parent]).push(node);
      places.push(this.throughPath(node, path));
    }
    return unbinarized(root)[0];
  }

  /** The tree's nodes, parents before children, left before right. */
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

  /** Each item's best edge (−1 for words), and the score of its best tree. */
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

  /** Adds the phrases along a rule; returns the list of children below them. */
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
