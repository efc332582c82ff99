import { type Hyperedge, LazyKBest } from '../../../src/decode/lazy-k-best.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { type GrowingTree, unbinarized } from '../binarize.ts';
import { type ReadonlyForest, SAME } from './forest.ts';
import type { CoarseTables } from './latent-grammar.ts';

/** The lowest posterior probability of a rule. */
const LEAST_POSTERIOR = 1e-10;

/** The top edge of a derivation (−1 for words), and the ranks of its children's derivations. */
type Choice = { readonly edge: number; readonly ranks: readonly number[] };

type Chooser = (item: number, rank: number) => Choice;

interface ForestEdge extends Hyperedge {
  readonly edge: number;
}

/** A node of a tree in the forest. */
export interface MaxRuleNode {
  readonly symbol: number;
  /** Its item in the forest, and the item above it with a `SAME` edge, or itself. */
  readonly item: number;
  readonly above: number;
  readonly parent: number;
  /** The number of the word below a tag; else −1. */
  readonly word: number;
  /** The labels of the phrases within the rule below it. */
  readonly path: readonly string[];
  readonly score: number;
  /** The edges from `above` down to its children. */
  readonly edges: readonly number[];
}

/**
 * Finds the tree with the largest product of the posterior probabilities of its rules: max-rule-product (Petrov &
 * Klein 2007, section 4); with several grammars, the product over all of them (Petrov 2010).
 */
export class MaxRule {
  /** By edge: the sum of log posteriors. */
  private scores = new Float64Array(0);
  private posteriors = new Float64Array(0);
  private edgeCount = 0;
  private grammarCount = 0;

  constructor(private readonly grammar: Pick<CoarseTables, 'labels' | 'paths'>) {}

  start({ edgeCount }: ReadonlyForest): void {
    this.edgeCount = edgeCount;
    this.grammarCount = 0;
    if (this.scores.length < edgeCount) {
      this.scores = new Float64Array(2 * edgeCount);
      this.posteriors = new Float64Array(2 * edgeCount);
    }
    this.scores.fill(0, 0, edgeCount);
  }

  /**
   * Adds the log posteriors of one grammar.
   * @param coarseEdges the coarse edge of each edge of its forest
   * @param weights unnormalized posteriors of these edges; they become posteriors divided by `total`
   */
  add(edgeCount: number, coarseEdges: Int32Array, weights: Float64Array, total: number): void {
    const { scores, posteriors } = this;
    this.grammarCount++;
    posteriors.fill(0, 0, this.edgeCount);
    for (let edge = 0; edge < edgeCount; edge++) posteriors[coarseEdges[edge]] += weights[edge] / total;
    for (let edge = 0; edge < this.edgeCount; edge++)
      scores[edge] += Math.log(Math.max(posteriors[edge], LEAST_POSTERIOR));
  }

  /** Divides a score, a sum of log probabilities over the grammars added, by their number. */
  mean(score: number): number {
    return score / this.grammarCount;
  }

  tree(forest: ReadonlyForest, forms: readonly string[]): PhraseTree {
    return this.treeOf(this.derivation(forest), forms);
  }

  /** Up to k trees, the best first, and the edges of each. */
  kBest(forest: ReadonlyForest, forms: readonly string[], k: number) {
    const derivations = this.derivations(forest, k);
    const choose: Chooser = (item, rank) => {
      const { edge, ranks } = derivations.at(item, rank)!;
      return { edge: edge.edge, ranks };
    };
    const trees: { readonly tree: PhraseTree; readonly edges: readonly number[] }[] = [];
    for (let rank = 0; rank < k && derivations.at(forest.root, rank) !== undefined; rank++) {
      const nodes = this.chosen(forest, choose, rank);
      trees.push({ tree: this.treeOf(nodes, forms), edges: nodes.flatMap(({ edges }) => edges) });
    }
    return trees;
  }

  private treeOf(nodes: readonly MaxRuleNode[], forms: readonly string[]): PhraseTree {
    const root: GrowingTree = { label: undefined, form: undefined, children: [] };
    /** By node: the list that its children are added to. */
    const places: GrowingTree[][] = [];
    for (const { symbol, parent, word, path } of nodes) {
      const node: GrowingTree = { label: this.grammar.labels[symbol], form: forms[word], children: [] };
      (parent === -1 ? root.children : places[parent]).push(node);
      places.push(this.throughPath(node, path));
    }
    return unbinarized(root)[0];
  }

  private derivations(forest: ReadonlyForest, k: number): LazyKBest<ForestEdge> {
    const { scores } = this.best(forest);
    const into = new Map<number, ForestEdge[]>();
    for (let edge = 0; edge < forest.edgeCount; edge++) {
      const [parent, left, right] = [forest.parents[edge], forest.lefts[edge], forest.rights[edge]];
      const children = right === -1 ? [left] : [left, right];
      const score = children.reduce((sum, child) => sum + scores[child], this.edgeScore(forest, edge));
      if (!into.has(parent)) into.set(parent, []);
      if (score > Number.NEGATIVE_INFINITY) into.get(parent)!.push({ edge, score, children });
    }
    const word: ForestEdge = { edge: -1, score: 0, children: [] };
    for (let leaf = 0; leaf < forest.leafCount; leaf++) into.set(forest.leaves[leaf], [word]);
    return new LazyKBest(k, (item) => into.get(item) ?? []);
  }

  /** Returns the nodes of the best tree, parents before children, left before right. */
  derivation(forest: ReadonlyForest): MaxRuleNode[] {
    const { edges } = this.best(forest);
    return this.chosen(forest, (item) => ({ edge: edges[item], ranks: [0, 0] }), 0);
  }

  private chosen(forest: ReadonlyForest, choose: Chooser, rootRank: number): MaxRuleNode[] {
    const { rules, lefts, rights, symbols } = forest;
    const wordOf = new Map<number, number>();
    for (let leaf = 0; leaf < forest.leafCount; leaf++) wordOf.set(forest.leaves[leaf], forest.words[leaf]);
    const nodes: MaxRuleNode[] = [];
    const pending = [{ above: forest.root, parent: -1, rank: rootRank }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { above, parent, rank } = next;
      const top = choose(above, rank);
      const isSame = top.edge !== -1 && rules[top.edge] === SAME;
      const item = isSame ? lefts[top.edge] : above;
      const { edge, ranks } = isSame ? choose(item, top.ranks[0]) : top;
      nodes.push({
        symbol: symbols[item],
        item,
        above,
        parent,
        word: wordOf.get(item) ?? -1,
        path: edge === -1 ? [] : this.grammar.paths[rules[edge]],
        score: edge === -1 ? 0 : this.scores[edge],
        edges: [...(isSame ? [top.edge] : []), ...(edge === -1 ? [] : [edge])],
      });
      if (edge === -1) continue;
      const here = nodes.length - 1;
      // The left child and its descendants come first.
      if (rights[edge] !== -1) pending.push({ above: rights[edge], parent: here, rank: ranks[1] });
      pending.push({ above: lefts[edge], parent: here, rank: ranks[0] });
    }
    return nodes;
  }

  /** Returns the best edge of each item (−1 for words), and the score of its best tree. */
  best(forest: ReadonlyForest): { readonly edges: Int32Array; readonly scores: Float64Array } {
    const { itemCount, edgeCount, parents, lefts, rights } = forest;
    const best = new Float64Array(itemCount).fill(Number.NEGATIVE_INFINITY);
    const edges = new Int32Array(itemCount).fill(-1);
    for (let leaf = 0; leaf < forest.leafCount; leaf++) best[forest.leaves[leaf]] = 0;
    for (let edge = 0; edge < edgeCount; edge++) {
      const score =
        this.edgeScore(forest, edge) + best[lefts[edge]] + (rights[edge] === -1 ? 0 : best[rights[edge]]);
      if (score <= best[parents[edge]]) continue;
      best[parents[edge]] = score;
      edges[parents[edge]] = edge;
    }
    return { edges, scores: best };
  }

  private edgeScore({ rules }: ReadonlyForest, edge: number): number {
    return rules[edge] === SAME ? 0 : this.scores[edge];
  }

  /** Adds the phrases within a rule; returns the list of children of the lowest one. */
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
