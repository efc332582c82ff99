import type { PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';
import { BestTree, type Part, treeOf } from './best-tree.ts';
import { unbinarized } from './binarize.ts';
import { Chart } from './chart.ts';
import { ChartDerivation, type ExplainedChart } from './explain.ts';
import type { Grammar } from './grammar.ts';
import type { WordStates } from './lexicon.ts';

/** Beams wider than this are as good as none. */
const WIDEST_BEAM = 100;

/** Bytes that a chart may take. */
export const MOST_MEMORY = 2 ** 30;

/** A phrase-structure tree, and of how many parts it had to be put together (0: it is one of the grammar's). */
export interface FoundTree {
  readonly tree: PhraseTree;
  readonly parts: number;
}

/** Finds the most probable trees of tagged words. */
export class TreeParser {
  private readonly chart: Chart;

  /**
   * @param beam that of the first search (see Chart); Infinity: exact search
   */
  constructor(
    private readonly grammar: Grammar,
    private readonly beam: number,
  ) {
    this.chart = new Chart(grammar);
  }

  /** Whether the chart of so many words fits into the memory that it may take. */
  hasRoomFor(length: number): boolean {
    return this.chart.bytesFor(length) <= MOST_MEMORY;
  }

  /** The best tree; where the grammar has none, the fewest phrases that have all words in them, as one tree. */
  parse(words: readonly WordStates[], forms: readonly string[]): FoundTree {
    const { roots, hasTree } = this.derive(words);
    const expansions = new BestTree(this.chart, words);
    const trees = roots.flatMap((root) => unbinarized(treeOf(expansions, this.grammar, forms, root)));
    return hasTree ? { tree: trees[0]!, parts: 0 } : { tree: this.joined(trees), parts: trees.length };
  }

  /** The same, and how it came to that. */
  explain(words: readonly WordStates[], forms: readonly string[]): ExplainedChart {
    const { chart } = this;
    const { roots, hasTree, beam } = this.derive(words);
    const score = chart.scores[chart.row(0, words.length) + this.grammar.tables.start];
    return {
      derivation: new ChartDerivation(chart, words, forms, new BestTree(chart, words)).of(roots),
      score: hasTree ? score : null,
      pruning: {
        beam: beam === Number.POSITIVE_INFINITY ? null : beam,
        kept: chart.kept,
        cut: chart.cut,
      },
    };
  }

  /** What the best tree begins with: the start over all words, or several phrases side by side. */
  private derive(words: readonly WordStates[]): { roots: readonly Part[]; hasTree: boolean; beam: number } {
    const { beam, hasTree } = this.search(words);
    const whole = { state: this.grammar.tables.start, i: 0, j: words.length };
    return { roots: hasTree ? [whole] : this.cover(words), hasTree, beam };
  }

  /** Trees, or the parts of one, under one outermost bracket. */
  joined(trees: readonly PhraseTree[]): PhraseTree {
    const { outermost } = this.grammar;
    const isBracket = ({ label, form }: PhraseTree) => label === outermost && form === undefined;
    const children = trees.flatMap((tree) => (isBracket(tree) ? tree.children : [tree]));
    return { label: outermost, form: undefined, children };
  }

  /** Fills the chart, with wider and wider beams until there is a tree, or none can be found. */
  private search(words: readonly WordStates[]): { beam: number; hasTree: boolean } {
    const { chart, grammar } = this;
    const root = chart.row(0, words.length) + grammar.tables.start;
    for (let { beam } = this; ; beam *= 2) {
      const width = beam > WIDEST_BEAM ? Number.POSITIVE_INFINITY : beam;
      chart.fill(words, width);
      const hasTree = chart.scores[root] > Number.NEGATIVE_INFINITY;
      if (hasTree || width === Number.POSITIVE_INFINITY) return { beam: width, hasTree };
    }
  }

  /** The fewest whole phrases side by side, of these the most probable ones; a word's tag is one, too. */
  private cover(words: readonly WordStates[]): Part[] {
    const { length } = words;
    const counts = new Int32Array(length + 1);
    const scores = new Float64Array(length + 1);
    const last: Part[] = [];
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
    const parts: Part[] = [];
    for (let j = length; j > 0; j = last[j].i) parts.push(last[j]);
    return parts.reverse();
  }

  /** The most probable state with a label; −1 where there is none, which is never so for a single word. */
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

  /** The most probable tag of a word, if it fits into the chart or not. */
  private bestTag({ states, scores }: WordStates): ScoredState {
    const { priors } = this.grammar;
    const all = Array.from(states, (state, x) => ({ state, score: scores[x] + priors[state] }));
    return all.reduce((best, one) => (one.score > best.score ? one : best));
  }
}

interface ScoredState {
  readonly state: number;
  readonly score: number;
}
