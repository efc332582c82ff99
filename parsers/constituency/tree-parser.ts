import { formatBrackets } from '../../src/treebank/phrases/brackets.ts';
import type { PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';
import { BestTree, BestTrees, type StateSpan, treeOf } from './best-tree.ts';
import { unbinarized } from './binarize.ts';
import { Chart } from './chart.ts';
import { ChartDerivation, type ExplainedChart, withTree } from './explain.ts';
import type { Grammar } from './grammar.ts';
import { insideRatio } from './inside.ts';
import type { WordStates } from './lexicon.ts';

/** Wider beams hardly prune, and are replaced by exact search. */
const WIDEST_BEAM = 100;
/** Limit on the bytes of a chart. */
export const MOST_MEMORY = 2 ** 30;

/** Limit on the derivations that are searched for different trees. */
const DERIVATIONS_PER_TREE = 10;

/** A tree, and its probability among all trees of the words. */
export type RankedTree = { readonly tree: PhraseTree; readonly probability: number };

/** A tree, and the number of partial trees that were joined to it (0: the grammar derives it). */
export type FoundTree = { readonly tree: PhraseTree; readonly parts: number };

/** Finds the best trees by a plain grammar. */
export class TreeParser {
  private readonly chart: Chart;

  /** @param beam width of the first search (`Chart.fill`); Infinity: exact search */
  constructor(
    private readonly grammar: Grammar,
    private readonly beam: number,
  ) {
    this.chart = new Chart(grammar);
  }

  fitsInMemory(length: number): boolean {
    return this.chart.bytesFor(length) <= MOST_MEMORY;
  }

  /** Returns the best tree; if the grammar has none, the fewest phrases over all words, joined. */
  parse(words: readonly WordStates[], forms: readonly string[]): FoundTree {
    const { roots, hasTree } = this.derive(words);
    const best = new BestTree(this.chart, words);
    const trees = roots.flatMap((root) => unbinarized(treeOf(best, this.grammar, forms, root)));
    return hasTree ? { tree: trees[0]!, parts: 0 } : { tree: this.joined(trees), parts: trees.length };
  }

  /**
   * Returns up to k trees, none if the grammar does not derive the words. Derivations that differ
   * only in annotations are one tree, with the sum of the probabilities of those that were found.
   */
  kBest(words: readonly WordStates[], forms: readonly string[], k: number): RankedTree[] {
    const { roots, hasTree } = this.derive(words);
    if (!hasTree) return [];
    const [root] = roots;
    const most = DERIVATIONS_PER_TREE * k;
    const best = new BestTrees(this.chart, words, most);
    const highest = best.scoreOf(root, 0)!;
    const sum = insideRatio(this.chart, words, root.state);
    const found = new Map<string, RankedTree>();
    for (let rank = 0; rank < most && found.size < k; rank++) {
      const score = best.scoreOf(root, rank);
      if (score === undefined) break;
      const [tree] = unbinarized(treeOf(best, this.grammar, forms, root, rank));
      const key = formatBrackets(tree);
      const before = found.get(key)?.probability ?? 0;
      found.set(key, { tree, probability: before + Math.exp(score - highest) / sum });
    }
    return [...found.values()];
  }

  explain(words: readonly WordStates[], forms: readonly string[]): ExplainedChart {
    const { chart } = this;
    const { roots, hasTree, beam } = this.derive(words);
    const score = chart.scores[chart.row(0, words.length) + this.grammar.tables.start];
    const explained = new ChartDerivation(chart, words, forms, new BestTree(chart, words));
    const derivation = explained.of(roots);
    return {
      derivation,
      chart: withTree(explained.cells(), derivation),
      score: hasTree ? score : null,
      pruning: { beam: beam === Number.POSITIVE_INFINITY ? null : beam, kept: chart.kept, cut: chart.cut },
    };
  }

  /** Fills the chart; returns the root of the best tree, or the roots of partial trees. */
  private derive(words: readonly WordStates[]) {
    const { beam, hasTree } = this.search(words);
    const whole = { state: this.grammar.tables.start, i: 0, j: words.length };
    return { roots: hasTree ? [whole] : this.cover(words), hasTree, beam };
  }

  /** Joins trees under one outermost bracket. */
  joined(trees: readonly PhraseTree[]): PhraseTree {
    const { outermost } = this.grammar;
    const isBracket = ({ label, form }: PhraseTree) => label === outermost && form === undefined;
    const children = trees.flatMap((tree) => (isBracket(tree) ? tree.children : [tree]));
    return { label: outermost, form: undefined, children };
  }

  /** Fills the chart with ever wider beams until there is a tree, or the search is exact. */
  private search(words: readonly WordStates[]) {
    const { chart, grammar } = this;
    const root = chart.row(0, words.length) + grammar.tables.start;
    for (let { beam } = this; ; beam *= 2) {
      const width = beam > WIDEST_BEAM ? Number.POSITIVE_INFINITY : beam;
      chart.fill(words, width);
      const hasTree = chart.scores[root] > Number.NEGATIVE_INFINITY;
      if (hasTree || width === Number.POSITIVE_INFINITY) return { beam: width, hasTree };
    }
  }

  /** Returns the fewest phrases (or tags) that cover all words; ties: the most probable. */
  private cover(words: readonly WordStates[]): StateSpan[] {
    const { length } = words;
    const counts = new Int32Array(length + 1);
    const scores = new Float64Array(length + 1);
    const last: StateSpan[] = [];
    for (let j = 1; j <= length; j++) {
      counts[j] = length + 1;
      for (let i = 0; i < j; i++) {
        const { state, score } = this.bestPhrase(words, i, j);
        if (state === -1) continue;
        const count = counts[i] + 1;
        const sum = scores[i] + score;
        if (count > counts[j] || (count === counts[j] && sum <= scores[j])) continue;
        counts[j] = count;
        scores[j] = sum;
        last[j] = { state, i, j };
      }
    }
    const parts: StateSpan[] = [];
    for (let j = length; j > 0; j = last[j].i) parts.push(last[j]);
    return parts.reverse();
  }

  /** Returns the most probable labelled state of a span; −1: none, which is impossible for a single word. */
  private bestPhrase(words: readonly WordStates[], i: number, j: number): ScoredState {
    const { scores } = this.chart;
    const { tables, priors, size } = this.grammar;
    const row = this.chart.row(i, j);
    let best = { state: -1, score: Number.NEGATIVE_INFINITY };
    for (let state = 0; state < size; state++) {
      const score = scores[row + state] + priors[state];
      if (score > best.score && tables.labels[state] !== undefined) best = { state, score };
    }
    return best.state === -1 && j === i + 1 ? this.bestTag(words[i]) : best;
  }

  private bestTag({ states, scores }: WordStates): ScoredState {
    const { priors } = this.grammar;
    const all = Array.from(states, (state, x) => ({ state, score: scores[x] + priors[state] }));
    return all.reduce((best, one) => (one.score > best.score ? one : best));
  }
}

type ScoredState = { readonly state: number; readonly score: number };
