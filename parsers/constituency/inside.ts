import type { Chart } from './chart.ts';
import type { WordStates } from './lexicon.ts';

/** Derivations whose log probability is this much lower than the best one's hardly change the sum. */
const NEGLIGIBLE = -20;

/**
 * Returns the total probability of all derivations of a state over all words of a filled chart, divided by the
 * probability of the best one (inside algorithm: Baker 1979; Lari & Young 1990).
 */
export function insideRatio(chart: Chart, words: readonly WordStates[], state: number): number {
  const inside = new InsideRatios(chart);
  for (let j = 1; j <= words.length; j++) {
    for (let i = j - 1; i >= 0; i--) {
      if (i === j - 1) inside.addWord(i, words[i]);
      else inside.addPairs(i, j);
      inside.close(i, j);
    }
  }
  return inside.ratios[chart.row(0, words.length) + state];
}

/** Inside probabilities divided by the probability of the best derivation, which the chart has. */
class InsideRatios {
  /** At `row` + state. */
  readonly ratios: Float64Array;
  /** By state: the ratio in the current span without unary chains. */
  private readonly below: Float64Array;
  /** By span: its states that are left children of rules, from `row` on; and where they end. */
  private readonly lists: Int32Array;
  private readonly listEnds = new Map<number, number>();

  constructor(private readonly chart: Chart) {
    const numbers = chart.row(0, chart.length + 1);
    this.ratios = new Float64Array(numbers);
    this.lists = new Int32Array(numbers);
    this.below = new Float64Array(chart.grammar.size);
  }

  addWord(i: number, word: WordStates): void {
    const row = this.chart.row(i, i + 1);
    for (const [x, state] of word.states.entries())
      this.below[state] = Math.exp(word.scores[x] - this.chart.scores[row + state]);
  }

  addPairs(i: number, j: number): void {
    const { chart, ratios, below, lists } = this;
    const { scores, grammar } = chart;
    const { starts, first: rights, second: parents, scores: ruleScores } = grammar.byLeft;
    const row = chart.row(i, j);
    for (let k = i + 1; k < j; k++) {
      const leftRow = chart.row(i, k);
      const rightRow = chart.row(k, j);
      const end = this.listEnds.get(leftRow)!;
      for (let x = leftRow; x < end; x++) {
        const left = leftRow + lists[x];
        for (let rule = starts[lists[x]]; rule < starts[lists[x] + 1]; rule++) {
          const right = rightRow + rights[rule];
          const difference = scores[left] + scores[right] + ruleScores[rule] - scores[row + parents[rule]];
          if (difference > NEGLIGIBLE)
            below[parents[rule]] += ratios[left] * ratios[right] * Math.exp(difference);
        }
      }
    }
  }

  /** Adds unary chains, and drops the states that the chart has dropped. */
  close(i: number, j: number): void {
    const { chart, ratios, below, lists } = this;
    const { scores, grammar } = chart;
    const { starts, first: ends, scores: chainScores } = grammar.chainsByTop;
    const row = chart.row(i, j);
    let listEnd = row;
    for (let state = 0; state < grammar.size; state++) {
      const best = scores[row + state];
      if (best === Number.NEGATIVE_INFINITY) continue;
      ratios[row + state] = below[state];
      for (let chain = starts[state]; chain < starts[state + 1]; chain++) {
        const end = row + ends[chain];
        if (scores[end] > Number.NEGATIVE_INFINITY)
          ratios[row + state] += below[ends[chain]] * Math.exp(scores[end] + chainScores[chain] - best);
      }
      if (grammar.byLeft.starts[state + 1] > grammar.byLeft.starts[state]) lists[listEnd++] = state;
    }
    this.listEnds.set(row, listEnd);
    below.fill(0);
  }
}
