import type { Example } from '../../../src/training/examples.ts';
import type { KeyedNumbers } from '../counts/keyed-numbers.ts';
import { PatternCounts, Row } from '../counts/pattern-counts.ts';
import type { PatternKeys } from '../patterns/pattern-keys.ts';
import type { Phases } from '../phases.ts';
import { COUNT_CLASSES, countClass, logOdds } from '../smoothing/held-out.ts';
import { weigh } from '../smoothing/weights.ts';
import { ArcChoices } from './arc-choices.ts';
import type { ArcPart } from './arc-parts.ts';
import { GAIN_UNIT, InterpolatedEstimate } from './interpolated.ts';

/** A gain below a twentieth is left out. */
const LEAST = GAIN_UNIT / 20;

/** Phases that learning the estimate takes. */
export const INTERPOLATED_PHASES = 4;

/** Counts, learns how far to trust the counts, and draws both together. */
export async function learnInterpolated(
  keys: PatternKeys<ArcPart>,
  examples: readonly Example[],
  seed: number,
  phases: Phases,
): Promise<InterpolatedEstimate> {
  const counts = await PatternCounts.of(keys, examples, phases);
  const weights = await weigh(new ArcChoices(counts), keys.patterns.length, examples, seed, phases);
  return new InterpolatedEstimate(keys, await drawTogether(counts, weights, phases));
}

/**
 * The weighted gains of every pattern's keys. It is written in place of the counts, pattern by pattern: of
 * those before, only estimates and keys are needed, and only where others are backed off to them.
 */
async function drawTogether(
  counts: PatternCounts,
  weights: Float64Array,
  phases: Phases,
): Promise<KeyedNumbers[]> {
  const { patterns } = counts.keys;
  const isBackoff = patterns.map((_, k) => patterns.some(({ backoff }) => backoff === k));
  const estimates: Float64Array[] = [];
  const drawn: KeyedNumbers[] = [];
  await phases.begin();
  await phases.forEach(counts.tables, (table, k) => {
    const { rows } = table;
    const { backoff } = patterns[k];
    if (isBackoff[k]) estimates[k] = new Float64Array(rows.length / Row.width);
    for (let at = 0; at < rows.length; at += Row.width) {
      if (rows[at] === 0) continue;
      const behind = backoff === -1 ? -1 : counts.tables[backoff].find(rows[at + Row.backoff]);
      const coarser = behind === -1 ? counts.prior : estimates[backoff][behind / Row.width];
      const tells = counts.tells(rows, at);
      const estimate = tells ? counts.estimate(rows, at, coarser) : coarser;
      if (isBackoff[k]) estimates[k][at / Row.width] = estimate;
      const weight = weights[k * COUNT_CLASSES + countClass(counts.pairs(rows, at))];
      const value = Math.round(weight * (logOdds(estimate) - logOdds(coarser)) * GAIN_UNIT);
      rows[at + Row.counts] = tells && Math.abs(value) >= LEAST ? value : 0;
    }
    drawn.push(table.firstNumbers());
    if (!isBackoff[k]) counts.forget(k);
  });
  return drawn;
}
