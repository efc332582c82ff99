import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import type { Example } from '../../../src/training/examples.ts';
import { KeyedNumbers } from '../patterns/keyed-numbers.ts';
import { PatternCounts, Row } from '../patterns/pattern-counts.ts';
import type { PatternKeys } from '../patterns/pattern-keys.ts';
import { COUNT_CLASSES, countClass, holdOut, logOdds } from '../smoothing/evidence.ts';
import { learnWeights } from '../smoothing/weights.ts';
import type { Turns } from '../turns.ts';
import { ArcEvidence } from './arc-evidence.ts';
import type { ArcPart } from './arc-parts.ts';
import type { ArcEstimate } from './estimate.ts';

/** Evidence is kept in units of 1/4096; what is below a twentieth is left out. */
const UNIT = 4096;
const LEAST = 205;

/**
 * The log odds that a pair of words is an arc, from the evidence of many patterns, each with the weight that
 * it earns on held-out data. As every pattern determines its backoff, its weighted evidence is one number,
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
    const counts = new PatternCounts(keys);
    await turns.begin();
    await turns.forEach(examples, (example) => counts.add(example));
    const heldOut = await holdOut(new ArcEvidence(counts), keys.patterns.length, examples, turns);
    const weights = await learnWeights(heldOut, seed, turns);
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

/** The weighted evidence of every pattern's keys. */
async function drawTogether(
  counts: PatternCounts,
  weights: Float64Array,
  turns: Turns,
): Promise<KeyedNumbers[]> {
  const estimates: Float64Array[] = [];
  const drawn: KeyedNumbers[] = [];
  await turns.begin();
  await turns.forEach(counts.tables, (table, k) => {
    const { rows } = table;
    const { backoff } = counts.keys.patterns[k];
    // Keys come in the order of their rows: a smaller table would fill up at its beginning first.
    const values = new KeyedNumbers(2, new Int32Array((2 * rows.length) / Row.width));
    estimates[k] = new Float64Array(rows.length / Row.width);
    for (let at = 0; at < rows.length; at += Row.width) {
      if (rows[at] === 0) continue;
      const behind = backoff === -1 ? -1 : counts.tables[backoff].find(rows[at + Row.backoff]);
      const coarser = behind === -1 ? counts.prior : estimates[backoff][behind / Row.width];
      const tells = counts.tells(rows, at);
      const estimate = tells ? counts.estimate(rows, at, coarser) : coarser;
      estimates[k][at / Row.width] = estimate;
      const weight = weights[k * COUNT_CLASSES + countClass(rows[at + Row.pairs])];
      const value = Math.round(weight * (logOdds(estimate) - logOdds(coarser)) * UNIT);
      if (tells && Math.abs(value) >= LEAST) values.raise(rows[at], value);
    }
    drawn.push(values.trim());
  });
  return drawn;
}
