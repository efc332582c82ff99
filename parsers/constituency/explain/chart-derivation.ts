import type { DerivationNode, PcfgExplanation } from '../../../src/explain/explanation.ts';
import type { Chart } from '../chart/chart.ts';
import type { Expansions, Part } from '../chart/expansions.ts';
import type { WordStates } from '../lexicon/lexicon.ts';
import { type RunnerUp, runnersUp, withScores } from './derivation.ts';

/** How a tree was found in a chart. */
export type ExplainedChart = Pick<PcfgExplanation, 'derivation' | 'score' | 'pruning'>;

/** A state over some words, and the node above it. */
interface Pending extends Part {
  readonly parent: number;
}

/** A derivation in a filled chart, rule by rule. */
export class ChartDerivation {
  private readonly nodes: Omit<DerivationNode, 'score'>[] = [];

  constructor(
    private readonly chart: Chart,
    private readonly words: readonly WordStates[],
    private readonly forms: readonly string[],
    private readonly expansions: Expansions,
  ) {}

  /** That of several phrases side by side, or of one. */
  of(roots: readonly Part[]): DerivationNode[] {
    const pending: Pending[] = roots.map((root) => ({ ...root, parent: -1 })).reverse();
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      pending.push(...this.expand(next));
    return withScores(this.nodes);
  }

  /** Adds a state, and what it becomes without branching; returns the two below, the right one first. */
  private expand({ state, i, j, parent }: Pending): Pending[] {
    const { chain, split } = this.expansions.expansion(state, i, j);
    const states = [state, ...chain];
    let above = parent;
    for (const [k, next] of chain.entries()) {
      const ruleScore = this.chainScore(state, next) - (k === 0 ? 0 : this.chainScore(state, chain[k - 1]));
      above = this.add(states[k], { i, j, parent: above }, [this.name(next)], ruleScore);
    }
    const last = states[states.length - 1];
    if (split.k === -1) {
      const { states: tags, scores } = this.words[i];
      this.add(last, { i, j, parent: above }, [this.forms[i]], scores[tags.indexOf(last)]);
      return [];
    }
    const children = [split.left, split.right].map((child) => this.name(child));
    const ruleScore = this.ruleScore(last, split.left, split.right);
    const here = this.add(last, { i, j, parent: above }, children, ruleScore);
    return [
      { state: split.right, i: split.k, j, parent: here },
      { state: split.left, i, j: split.k, parent: here },
    ];
  }

  private add(
    state: number,
    { i, j, parent }: Omit<Pending, 'state'>,
    below: readonly string[],
    ruleScore: number,
  ): number {
    const label = this.chart.grammar.tables.labels[state] ?? null;
    const rule = `${this.name(state)} → ${below.join(' ')}`;
    const others = label === null ? [] : this.runnersUp(label, i, j);
    this.nodes.push({ label, parent, from: i + 1, to: j, rule, ruleScore, runnersUp: others });
    return this.nodes.length - 1;
  }

  private name(state: number): string {
    return this.chart.grammar.tables.labels[state] ?? '·';
  }

  private chainScore(top: number, end: number): number {
    const { starts, first: ends, scores } = this.chart.grammar.chainsByTop;
    let chain = starts[top];
    while (ends[chain] !== end) chain++;
    return scores[chain];
  }

  /** The log probability of the rule; of several for the same states the best. */
  private ruleScore(state: number, left: number, right: number): number {
    const { starts, first: lefts, second: rights, scores } = this.chart.grammar.byParent;
    let best = Number.NEGATIVE_INFINITY;
    for (let rule = starts[state]; rule < starts[state + 1]; rule++) {
      if (lefts[rule] === left && rights[rule] === right) best = Math.max(best, scores[rule]);
    }
    return best;
  }

  /** What else the words could be, by what the chart goes by where it prunes. */
  private runnersUp(label: string, i: number, j: number): RunnerUp[] {
    const { grammar, scores } = this.chart;
    const row = this.chart.row(i, j);
    const all = grammar.tables.labels.map((other, state) => ({
      label: other,
      score: scores[row + state] + grammar.priors[state],
    }));
    return runnersUp(all, label);
  }
}
