import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import type { Example } from '../../../src/training/examples.ts';
import { KeyedNumbers } from '../counts/keyed-numbers.ts';
import { PatternCounts, Row } from '../counts/pattern-counts.ts';
import type { PatternKeys } from '../patterns/pattern-keys.ts';
import { COUNT_CLASSES, countClass, logOdds } from '../smoothing/held-out.ts';
import { weigh } from '../smoothing/weights.ts';
import type { Turns } from '../turns.ts';
import { ArcChoices } from './arc-choices.ts';
import type { ArcPart } from './arc-parts.ts';
import type { ArcEstimate } from './estimate.ts';

/** Gains are kept in units of 1/4096; what is below a twentieth is left out. */
const UNIT = 4096;
const LEAST = 205;

/**
 * The log odds that a pair of words is an arc, from the counts of many patterns: by how much each raises them
 * above what its backoff says, its gain, times the weight that it earns on held-out data. As every pattern
 * determines its backoff, its weighted gain is one number,
 * and scoring an arc is adding up one number a pattern.
 */
export class InterpolatedEstimate implements ArcEstimate {
  /** Of learning. */
  static readonly phases = 4;
  private found = new Int32Array(0);

  constructor(
    private readonly keys: PatternKeys<ArcPart>,
    private readonly tables: readonly KeyedNumbers[],
  ) {}

  /** Counts, learns how far to trust the counts, and draws both together. */
  static async learn(
    keys: PatternKeys<ArcPart>,
    examples: readonly Example[],
    seed: number,
    turns: Turns,
  ): Promise<InterpolatedEstimate> {
    const counts = await PatternCounts.of(keys, examples, turns);
    const weights = await weigh(new ArcChoices(counts), keys.patterns.length, examples, seed, turns);
    return new InterpolatedEstimate(keys, await drawTogether(counts, weights, turns));
  }

  static load(keys: PatternKeys<ArcPart>, file: ModelReader): InterpolatedEstimate {
    const tables = keys.patterns.map(
      ({ name }) => new KeyedNumbers(2, file.section(`arcs.${name}`, 'int32')),
    );
    return new InterpolatedEstimate(keys, tables);
  }

  save(file: ModelWriter): void {
    this.keys.patterns.forEach(({ name }, k) => {
      file.section(`arcs.${name}`, this.tables[k].rows);
    });
  }

  score(sentence: EncodedSentence, scores: Float32Array): void {
    const { keys, tables } = this;
    const { length } = sentence;
    const size = length + 1;
    if (this.found.length < size) this.found = new Int32Array(2 * size);
    const { found } = this;
    keys.prepare(sentence);
    for (let d = 1; d <= length; d++) {
      keys.enter(d);
      for (let h = 0; h <= length; h++) scores[h * size + d] = 0;
      for (let k = 0; k < tables.length; k++) {
        const table = tables[k];
        const { rows } = table;
        keys.write(k, d, found);
        for (let h = 0; h <= length; h++) {
          const at = table.find(found[h]);
          if (at !== -1) scores[h * size + d] += rows[at + 1] / UNIT;
        }
      }
    }
  }
}

/**
 * The weighted gains of every pattern's keys. It is written in place of the counts, pattern by pattern: of
 * those before, only estimates are needed, and only where others are backed off to them.
 */
async function drawTogether(
  counts: PatternCounts,
  weights: Float64Array,
  turns: Turns,
): Promise<KeyedNumbers[]> {
  const { patterns } = counts.keys;
  const isBackoff = patterns.map((_, k) => patterns.some(({ backoff }) => backoff === k));
  const estimates: Float64Array[] = [];
  const drawn: KeyedNumbers[] = [];
  await turns.begin();
  await turns.forEach(counts.tables, (table, k) => {
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
      const value = Math.round(weight * (logOdds(estimate) - logOdds(coarser)) * UNIT);
      rows[at + Row.counts] = tells && Math.abs(value) >= LEAST ? value : 0;
    }
    drawn.push(table.firstNumbers());
  });
  return drawn;
}
