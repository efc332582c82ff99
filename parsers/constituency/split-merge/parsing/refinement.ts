import type { FineTables } from '../grammar/latent-grammar.ts';

/** How the symbols and rules of a grammar stand for those of a coarser one. */
export class Refinement {
  /** How many fine symbols each coarse one has, and the number of each fine one among these. */
  readonly counts: Int32Array;
  readonly places: Int32Array;
  /** The fine rules of each coarse one: those in `rules` from its start to that of the next. */
  readonly starts: Int32Array;
  readonly rules: Int32Array;

  constructor(
    readonly fine: FineTables,
    coarseSize: number,
    coarseRuleCount: number,
  ) {
    const { coarseSymbols, coarseRules } = fine;
    this.counts = new Int32Array(coarseSize);
    this.places = coarseSymbols.map((coarse) => this.counts[coarse]++);
    this.starts = new Int32Array(coarseRuleCount + 1);
    for (const coarse of coarseRules) this.starts[coarse + 1]++;
    for (let rule = 0; rule < coarseRuleCount; rule++) this.starts[rule + 1] += this.starts[rule];
    const next = this.starts.slice();
    this.rules = new Int32Array(coarseRules.length);
    for (const [rule, coarse] of coarseRules.entries()) this.rules[next[coarse]++] = rule;
  }
}
