import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { KeyedNumbers } from '../counts/keyed-numbers.ts';
import type { PatternKeys } from '../patterns/pattern-keys.ts';
import type { ArcPart } from './arc-parts.ts';
import type { ArcEstimate, ArcReasons } from './estimate.ts';

/** Gains are kept in units of 1/4096. */
export const GAIN_UNIT = 4096;

/**
 * The log odds that a pair of words is an arc, from the counts of many patterns: by how much each raises them
 * above what its backoff says, its gain, times the weight that it earns on held-out data. As every pattern
 * determines its backoff, its weighted gain is one number, and scoring an arc is adding up one number a pattern.
 */
export class InterpolatedEstimate implements ArcEstimate {
  private found = new Int32Array(0);

  constructor(
    private readonly keys: PatternKeys<ArcPart>,
    private readonly tables: readonly KeyedNumbers[],
  ) {}

  static load(keys: PatternKeys<ArcPart>, file: ModelReader): InterpolatedEstimate {
    const tables = keys.patterns.map(({ name }) => KeyedNumbers.load(file, `arcs.${name}`));
    return new InterpolatedEstimate(keys, tables);
  }

  save(file: ModelWriter): void {
    this.keys.patterns.forEach(({ name }, k) => {
      file.section(`arcs.${name}`, this.tables[k].rows);
    });
  }

  reasons(sentence: EncodedSentence, d: number): ArcReasons {
    const { keys, tables } = this;
    keys.prepare(sentence);
    keys.enter(d);
    return {
      gains: (head) =>
        tables.map((table, k) => {
          const at = table.find(keys.key(k, head, d));
          return at === -1 ? 0 : table.rows[at + 1] / GAIN_UNIT;
        }),
    };
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
          if (at !== -1) scores[h * size + d] += rows[at + 1] / GAIN_UNIT;
        }
      }
    }
  }
}
