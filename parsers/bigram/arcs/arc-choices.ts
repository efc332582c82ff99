import type { Example } from '../../../src/training/examples.ts';
import type { PatternCounts } from '../counts/pattern-counts.ts';
import { type ChoiceCollector, type Counts, countClass, logOdds } from '../smoothing/held-out.ts';

/** What counted pairs say of each possible head of a token: by how much they raise its log odds. */
export class ArcChoices implements Counts {
  private gains = new Float32Array(0);
  private classes = new Uint8Array(0);
  /** At k * width + h: the estimate of pattern k for head h. */
  private estimates = new Float64Array(0);
  private keys = new Int32Array(0);
  private width = 0;

  constructor(private readonly counts: PatternCounts) {}

  change(example: Example, by: 1 | -1): void {
    this.counts.change(example, by);
  }

  read(example: Example, into: ChoiceCollector): void {
    const { length, heads } = example;
    if (this.width <= length) this.reserve(2 * length + 1);
    this.counts.keys.prepare(example);
    for (let d = 1; d <= length; d++) {
      this.readChoice(d, length);
      into.add(this.gains, this.classes, length, candidate(heads[d], d));
    }
  }

  private reserve(width: number): void {
    const patterns = this.counts.tables.length;
    this.width = width;
    this.gains = new Float32Array(width * patterns);
    this.classes = new Uint8Array(width * patterns);
    this.estimates = new Float64Array(width * patterns);
    this.keys = new Int32Array(width);
  }

  private readChoice(d: number, length: number): void {
    const { counts, keys } = this;
    const patterns = counts.tables.length;
    counts.keys.enter(d);
    for (let k = 0; k < patterns; k++) {
      counts.keys.write(k, d, keys);
      for (let h = 0; h <= length; h++) if (h !== d) this.readPair(k, h, candidate(h, d) * patterns + k);
    }
  }

  private readPair(k: number, h: number, to: number): void {
    const { counts, estimates, width } = this;
    const { rows } = counts.tables[k];
    const { backoff } = counts.keys.patterns[k];
    const coarser = backoff === -1 ? counts.prior : estimates[backoff * width + h];
    const at = counts.tables[k].find(this.keys[h]);
    const tells = at !== -1 && counts.tells(rows, at);
    const estimate = tells ? counts.estimate(rows, at, coarser) : coarser;
    estimates[k * width + h] = estimate;
    this.gains[to] = tells ? logOdds(estimate) - logOdds(coarser) : 0;
    this.classes[to] = tells ? countClass(counts.pairs(rows, at)) : 0;
  }
}

/** The place of a head among the candidates: all tokens and the root, but for the dependent itself. */
function candidate(h: number, d: number): number {
  return h < d ? h : h - 1;
}
