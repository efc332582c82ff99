import type { Example } from '../../../src/training/examples.ts';
import { GAIN_UNIT, KeyedNumbers, PackedCounts, SeenOnce } from '../counts.ts';
import { InterpolatedEstimate } from '../interpolated.ts';
import type { ArcFeature, PatternKeys } from '../patterns.ts';
import type { ChoiceCollector, Counts, Phases } from './held-out.ts';
import { COUNT_CLASSES, countClass, holdOut, learnWeights, logOdds } from './held-out.ts';

/** Smaller gains are dropped. */
const LEAST_GAIN = GAIN_UNIT / 20;
export const INTERPOLATED_PHASES = 4;

export async function learnInterpolated(
  keys: PatternKeys<ArcFeature>,
  examples: readonly Example[],
  seed: number,
  phases: Phases,
): Promise<InterpolatedEstimate> {
  const counts = await PatternCounts.of(keys, examples, phases);
  const heldOut = await holdOut(counts, keys.patterns.length, examples, phases);
  const weights = await learnWeights(heldOut, seed, phases);
  return new InterpolatedEstimate(keys, await weightedGains(counts, weights, phases));
}

/** Replaces counts by weighted gains, pattern by pattern; keeps estimates only of patterns that others back off to. */
async function weightedGains(counts: PatternCounts, weights: Float64Array, phases: Phases) {
  const { patterns } = counts.keys;
  const isBackoff = patterns.map((_, k) => patterns.some(({ backoff }) => backoff === k));
  const estimates: Float64Array[] = [];
  const gains: KeyedNumbers[] = [];
  await phases.begin();
  await phases.forEach(counts.tables, (table, k) => {
    const { rows } = table;
    const { backoff } = patterns[k];
    if (isBackoff[k]) estimates[k] = new Float64Array(rows.length / Row.width);
    for (let at = 0; at < rows.length; at += Row.width) {
      if (rows[at] === 0) continue;
      const coarserAt = backoff === -1 ? -1 : counts.tables[backoff].find(rows[at + Row.backoff]);
      const coarser = coarserAt === -1 ? counts.prior : estimates[backoff][coarserAt / Row.width];
      const isSeen = counts.isSeen(rows, at);
      const estimate = isSeen ? counts.estimate(rows, at, coarser) : coarser;
      if (isBackoff[k]) estimates[k][at / Row.width] = estimate;
      const weight = weights[k * COUNT_CLASSES + countClass(counts.pairs(rows, at))];
      const value = Math.round(weight * (logOdds(estimate) - logOdds(coarser)) * GAIN_UNIT);
      rows[at + Row.counts] = isSeen && Math.abs(value) >= LEAST_GAIN ? value : 0;
    }
    gains.push(table.firstNumbers());
    if (!isBackoff[k]) counts.drop(k);
  });
  return gains;
}

/** The number of head h among the candidates of d, which are all tokens but d. */
const candidate = (h: number, d: number): number => (h < d ? h : h - 1);

/** Layout of a pattern's row: its key, the packed counts of pairs and arcs, the key of its backoff. */
export const Row = { counts: 1, backoff: 2, width: 3 } as const;

/** The weight of the backoff's estimate, as a number of pairs; the exact value matters little. */
const BACKOFF_PAIRS = 2;

/**
 * Counts of all pairs of words with a pattern, and of the arcs among them; their ratio estimates P(arc | pair in one
 * sentence) (Collins 1996). Small counts are smoothed by a coarser pattern. A pattern seen once, and on no arc,
 * counts as unseen.
 */
export class PatternCounts implements Counts {
  readonly tables: KeyedNumbers[];
  private readonly packed = new PackedCounts();
  private allPairs = 0;
  private allArcs = 0;
  /** keysOf[k][h]: the key of pattern k for the arc from h to the current dependent. */
  private keysOf: Int32Array[] = [];
  /** estimates[k][h]: the estimate of pattern k for that arc, in `read`. */
  private estimates: Float64Array[] = [];
  /** candidates × patterns. */
  private gains = new Float32Array(0);
  private classes = new Uint8Array(0);

  private constructor(readonly keys: PatternKeys<ArcFeature>) {
    this.tables = keys.patterns.map(() => new KeyedNumbers(Row.width));
    this.reserve(1);
  }

  static async of(keys: PatternKeys<ArcFeature>, examples: readonly Example[], phases: Phases) {
    const counts = new PatternCounts(keys);
    const once = new SeenOnce();
    await phases.begin();
    await phases.forEach(examples, (example) => counts.add(example, once));
    return counts;
  }

  /** Frees the memory of a pattern's counts. */
  drop(k: number): void {
    this.tables[k] = new KeyedNumbers(Row.width);
  }

  private add(example: Example, once: SeenOnce): void {
    const { length, heads } = example;
    this.prepare(example);
    for (let d = 1; d <= length; d++) {
      this.writeKeys(d);
      for (let k = 0; k < this.tables.length; k++)
        for (let h = 0; h <= length; h++) if (h !== d) this.addPair(k, h, heads[d] === h, once);
    }
    this.allArcs += length;
    this.allPairs += length * length;
  }

  change(example: Example, by: 1 | -1): void {
    const { length, heads } = example;
    const { packed } = this;
    this.prepare(example);
    for (let d = 1; d <= length; d++) {
      this.writeKeys(d);
      for (let k = 0; k < this.tables.length; k++) {
        const table = this.tables[k];
        const { rows } = table;
        const keys = this.keysOf[k];
        for (let h = 0; h <= length; h++) {
          const at = h === d ? -1 : table.find(keys[h]);
          if (at === -1) continue;
          rows[at + Row.counts] = packed.plus(rows[at + Row.counts], by, heads[d] === h ? by : 0);
        }
      }
    }
    this.allArcs += by * length;
    this.allPairs += by * length * length;
  }

  private prepare(example: Example): void {
    const { length } = example;
    this.keys.prepare(example);
    if (this.keysOf[0].length <= length) this.reserve(2 * length + 1);
  }

  private reserve(width: number): void {
    const { tables } = this;
    this.keysOf = tables.map(() => new Int32Array(width));
    this.estimates = tables.map(() => new Float64Array(width));
    this.gains = new Float32Array(width * tables.length);
    this.classes = new Uint8Array(width * tables.length);
  }

  read(example: Example, into: ChoiceCollector): void {
    const { length, heads } = example;
    const { length: patterns } = this.tables;
    this.prepare(example);
    for (let d = 1; d <= length; d++) {
      this.writeKeys(d);
      for (let k = 0; k < patterns; k++)
        for (let h = 0; h <= length; h++) if (h !== d) this.readPair(k, h, candidate(h, d) * patterns + k);
      into.add(this.gains, this.classes, length, candidate(heads[d], d));
    }
  }

  private readPair(k: number, h: number, to: number): void {
    const { estimates, prior } = this;
    const { rows } = this.tables[k];
    const { backoff } = this.keys.patterns[k];
    const coarser = backoff === -1 ? prior : estimates[backoff][h];
    const at = this.tables[k].find(this.keysOf[k][h]);
    const isSeen = at !== -1 && this.isSeen(rows, at);
    const estimate = isSeen ? this.estimate(rows, at, coarser) : coarser;
    estimates[k][h] = estimate;
    this.gains[to] = isSeen ? logOdds(estimate) - logOdds(coarser) : 0;
    this.classes[to] = isSeen ? countClass(this.pairs(rows, at)) : 0;
  }

  private writeKeys(d: number): void {
    this.keys.enter(d);
    for (let k = 0; k < this.keysOf.length; k++) this.keys.write(k, d, this.keysOf[k]);
  }

  private addPair(k: number, h: number, isArc: boolean, once: SeenOnce): void {
    const table = this.tables[k];
    const key = this.keysOf[k][h];
    let at = table.find(key);
    if (at === -1) {
      const seen = once.meet(key);
      if (!seen && !isArc) return;
      at = table.add(key);
      const { backoff } = this.keys.patterns[k];
      if (seen) table.rows[at + Row.counts] = this.packed.plus(0, 1, 0);
      table.rows[at + Row.backoff] = backoff === -1 ? 0 : this.keysOf[backoff][h];
    }
    const { rows } = table;
    rows[at + Row.counts] = this.packed.plus(rows[at + Row.counts], 1, isArc ? 1 : 0);
  }

  get prior(): number {
    return (this.allArcs + 1) / (this.allPairs + 2);
  }

  pairs(rows: Int32Array, at: number): number {
    return this.packed.pairs(rows[at + Row.counts]);
  }

  arcs(rows: Int32Array, at: number): number {
    return this.packed.arcs(rows[at + Row.counts]);
  }

  /** Whether a row has been seen on an arc, or more than once. */
  isSeen(rows: Int32Array, at: number): boolean {
    return this.arcs(rows, at) > 0 || this.pairs(rows, at) > 1;
  }

  /** P(arc) by a row's counts, smoothed with its backoff's estimate. */
  estimate(rows: Int32Array, at: number, backoff: number): number {
    return (this.arcs(rows, at) + BACKOFF_PAIRS * backoff) / (this.pairs(rows, at) + BACKOFF_PAIRS);
  }
}
