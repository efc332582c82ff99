import type { WordStates } from '../lexicon/lexicon.ts';
import type { Chart } from './chart.ts';
import { chainDown, type Expansion, type Expansions, type Split } from './expansions.ts';

/** Reads the most probable derivations out of a filled chart. */
export class BestTree implements Expansions {
  constructor(
    private readonly chart: Chart,
    private readonly words: readonly WordStates[],
  ) {}

  /** The states of the best unary chain below a state, perhaps none, and what is below them. */
  expansion(state: number, i: number, j: number): Expansion {
    const { grammar, scores } = this.chart;
    const { starts, first: ends, scores: chainScores } = grammar.chainsByTop;
    const row = this.chart.row(i, j);
    let split = this.bestSplit(state, i, j);
    let best = split.score;
    let bestEnd = state;
    for (let chain = starts[state]; chain < starts[state + 1]; chain++) {
      const end = ends[chain];
      if (scores[row + end] + chainScores[chain] <= best) continue;
      const below = this.bestSplit(end, i, j);
      if (below.score + chainScores[chain] <= best) continue;
      best = below.score + chainScores[chain];
      bestEnd = end;
      split = below;
    }
    return { chain: chainDown(grammar, state, bestEnd), split };
  }

  private bestSplit(state: number, i: number, j: number): Split {
    if (j === i + 1) return this.asTag(state, i);
    const { grammar, scores } = this.chart;
    const { starts, first: lefts, second: rights, scores: ruleScores } = grammar.byParent;
    let best = { score: Number.NEGATIVE_INFINITY, k: -1, left: -1, right: -1 };
    for (let k = i + 1; k < j; k++) {
      const leftRow = this.chart.row(i, k);
      const rightRow = this.chart.row(k, j);
      for (let rule = starts[state]; rule < starts[state + 1]; rule++) {
        const score = scores[leftRow + lefts[rule]] + scores[rightRow + rights[rule]] + ruleScores[rule];
        if (score > best.score) best = { score, k, left: lefts[rule], right: rights[rule] };
      }
    }
    return best;
  }

  private asTag(state: number, i: number): Split {
    const { states, scores } = this.words[i];
    const at = states.indexOf(state);
    return { score: at === -1 ? Number.NEGATIVE_INFINITY : scores[at], k: -1, left: -1, right: -1 };
  }
}
