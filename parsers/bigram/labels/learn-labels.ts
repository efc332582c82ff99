import type { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import type { Example } from '../../../src/training/examples.ts';
import { KeyedNumbers } from '../counts/keyed-numbers.ts';
import type { Phases } from '../phases.ts';
import { weigh } from '../smoothing/weights.ts';
import { LabelCounts } from './label-counts.ts';
import { type LabelKeys, labelKey } from './label-keys.ts';
import { LABEL_GAIN_UNIT, Labels } from './labels.ts';

/** Phases that learning labels takes. */
export const LABEL_PHASES = 4;

/** Counts labels, learns how far to trust the counts, and draws both together. */
export async function learnLabels(
  keys: LabelKeys,
  candidates: LabelCandidates,
  labelCount: number,
  examples: readonly Example[],
  seed: number,
  phases: Phases,
): Promise<Labels> {
  const counts = new LabelCounts(keys, labelCount, candidates);
  await phases.begin();
  await phases.forEach(examples, (example) => counts.change(example, 1));
  const weights = await weigh(counts, keys.patterns.length, examples, seed, phases);
  return new Labels(keys, candidates, await drawTogether(keys, counts, weights, examples, phases));
}

/** The weighted gains of every pattern for the labels that it was seen with. */
async function drawTogether(
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
        const value = Math.round(counts.weighted(k, 0, weights) * LABEL_GAIN_UNIT);
        const key = labelKey(keys.current[k], label);
        if (value !== 0 && table.find(key) === -1) table.raise(key, value);
      });
    }
  });
  return tables.map((table) => table.trim());
}
