import type { PhraseTree } from '../../../../src/treebank/brackets/phrase-tree.ts';
import { type BinaryTree, unbinarized } from '../../grammar/binarize.ts';
import { type ReadonlyForest, SAME } from '../forest/forest.ts';
import type { CoarseTables } from '../grammar/latent-grammar.ts';

/** Edges that a grammar finds less probable than this are to it all the same. */
const LEAST = 1e-10;

/** A node under construction. */
interface Growing extends BinaryTree {
  form: string | undefined;
  readonly children: Growing[];
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

  /** Begins with a forest of the coarse grammar. */
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

  /** The best tree of the forest. */
  tree(forest: ReadonlyForest, forms: readonly string[]): PhraseTree {
    const edges = this.bestEdges(forest);
    const formOf = new Map<number, string>();
    for (let leaf = 0; leaf < forest.leafCount; leaf++)
      formOf.set(forest.leaves[leaf], forms[forest.words[leaf]]);
    const root: Growing = { label: undefined, form: undefined, children: [] };
    const pending = [{ item: forest.root, place: root.children }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const item = this.withoutSame(forest, edges, next.item);
      const node: Growing = {
        label: this.grammar.labels[forest.symbols[item]],
        form: formOf.get(item),
        children: [],
      };
      next.place.push(node);
      const edge = edges[item];
      if (edge === -1) continue;
      const place = this.throughPath(node, this.grammar.paths[forest.rules[edge]]);
      // The left one is taken up first, and all within it.
      if (forest.rights[edge] !== -1) pending.push({ item: forest.rights[edge], place });
      pending.push({ item: forest.lefts[edge], place });
    }
    return unbinarized(root)[0];
  }

  /** For each item, the best edge that makes it; −1 of words. */
  private bestEdges(forest: ReadonlyForest): Int32Array {
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
    return edges;
  }

  private withoutSame({ rules, lefts }: ReadonlyForest, edges: Int32Array, item: number): number {
    const edge = edges[item];
    return edge !== -1 && rules[edge] === SAME ? lefts[edge] : item;
  }

  /** Adds the phrases that a rule passes through; returns where what is below them goes. */
  private throughPath(node: Growing, path: readonly string[]): Growing[] {
    let { children } = node;
    for (const label of path) {
      const inner: Growing = { label, form: undefined, children: [] };
      children.push(inner);
      children = inner.children;
    }
    return children;
  }
}
