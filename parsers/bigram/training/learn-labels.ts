import type { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import { logarithm } from '../../../src/learn/exponential.ts';
import type { Example } from '../../../src/training/examples.ts';
import { GAIN_UNIT, KeyedNumbers } from '../counts.ts';
import { type LabelKeys, Labels, labelKey } from '../labels.ts';
import type { ChoiceCollector, Counts, Phases } from './held-out.ts';
import { COUNT_CLASSES, countClass, holdOut, learnWeights } from './held-out.ts';

export const LABEL_PHASES = 4;

export async function learnLabels(
  keys: LabelKeys,
  { candidates, labels }: Pick<Numbering, 'candidates' | 'labels'>,
  examples: readonly Example[],
  seed: number,
  phases: Phases,
): Promise<Labels> {
  const counts = new LabelCounts(keys, labels.length, candidates);
  await phases.begin();
  await phases.forEach(examples, (example) => counts.change(example, 1));
  const heldOut = await holdOut(counts, keys.patterns.length, examples, phases);
  const weights = await learnWeights(heldOut, seed, phases);
  return new Labels(keys, candidates, await weightedGains(keys, counts, weights, examples, phases));
}

async function weightedGains(
  keys: LabelKeys,
  counts: LabelCounts,
  weights: Float64Array,
  examples: readonly Example[],
  phases: Phases,
): Promise<KeyedNumbers[]> {
  const tables = keys.patterns.map(() => new KeyedNumbers(2));
  await phases.begin();
  await phases.forEach(examples, (example) => {
    keys.prepare(example, example.heads);
    for (let d = 1; d <= example.length; d++) {
      const label = example.labels[d];
      keys.enter(d);
      counts.readChoice(Int32Array.of(label));
      tables.forEach((table, k) => {
        const value = Math.round(counts.weighted(k, 0, weights) * GAIN_UNIT);
        const key = labelKey(keys.current[k], label);
        if (value !== 0 && table.find(key) === -1) table.raise(key, value);
      });
    }
  });
  return tables.map((table) => table.trim());
}

/** The weight of the backoff's estimate, as a number of arcs. */
const BACKOFF_ARCS = 2;

/**
 * Counts of arc patterns, and of labels with them. Label probabilities are smoothed by a coarser pattern. The gain of
 * a label is its log probability minus what it would be without the label's count; it is 0 if that count is 0.
 */
export class LabelCounts implements Counts {
  /** By pattern; rows: the key of a pattern, or of a pattern and a label; its count. */
  private readonly tables: readonly KeyedNumbers[];
  /** gains: candidates × patterns. */
  readonly gains: Float32Array;
  private readonly classes: Uint8Array;
  private readonly estimates: Float64Array;

  constructor(
    private readonly keys: LabelKeys,
    private readonly labelCount: number,
    private readonly candidates: LabelCandidates,
  ) {
    const { patterns } = keys;
    this.tables = patterns.map(() => new KeyedNumbers(2));
    this.gains = new Float32Array(labelCount * patterns.length);
    this.classes = new Uint8Array(labelCount * patterns.length);
    this.estimates = new Float64Array(labelCount * patterns.length);
  }

  change(example: Example, by: 1 | -1): void {
    this.keys.prepare(example, example.heads);
    for (let d = 1; d <= example.length; d++) {
      this.keys.enter(d);
      this.tables.forEach((table, k) => {
        const key = this.keys.current[k];
        table.raise(key, by);
        table.raise(labelKey(key, example.labels[d]), by);
      });
    }
  }

  read(example: Example, into: ChoiceCollector): void {
    this.keys.prepare(example, example.heads);
    for (let d = 1; d <= example.length; d++) {
      this.keys.enter(d);
      const candidates = this.candidates.of(example, example.heads[d], d);
      this.readChoice(candidates);
      into.add(this.gains, this.classes, candidates.length, candidates.indexOf(example.labels[d]));
    }
  }

  /** Fills gains, classes and estimates for the candidate labels of the current arc. */
  readChoice(candidates: Int32Array): void {
    const { patterns } = this.keys;
    for (let k = 0; k < patterns.length; k++) {
      const { backoff } = patterns[k];
      const key = this.keys.current[k];
      const table = this.tables[k];
      const arcs = table.numberOf(key);
      for (let c = 0; c < candidates.length; c++) {
        const coarser = backoff === -1 ? 1 / this.labelCount : this.estimates[c * patterns.length + backoff];
        const count = table.numberOf(labelKey(key, candidates[c]));
        const to = c * patterns.length + k;
        this.estimates[to] = (count + BACKOFF_ARCS * coarser) / (arcs + BACKOFF_ARCS);
        this.gains[to] = logarithm(1 + count / (BACKOFF_ARCS * coarser));
        this.classes[to] = countClass(arcs);
      }
    }
  }

  /** Returns the weighted gain of pattern k for candidate c of the last choice. */
  weighted(k: number, c: number, weights: Float64Array): number {
    const at = c * this.keys.patterns.length + k;
    return weights[k * COUNT_CLASSES + this.classes[at]] * this.gains[at];
  }
}
