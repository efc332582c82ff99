import { columnStart, type EncodedSentence } from '../../src/encoding/columns.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { ArcEstimate, ArcReasons, BigramModel } from './bigram-model.ts';
import { featureColumns, patternColumns } from './bigram-model.ts';
import { GAIN_UNIT, KeyedNumbers } from './counts.ts';
import type { ArcFeature, FeatureColumns, FeatureValues } from './patterns.ts';
import { arcNotation, PatternKeys } from './patterns.ts';

/** Computes `ArcFeature`s. */
export class ArcFeatureValues implements FeatureValues<ArcFeature> {
  readonly of: Readonly<Record<ArcFeature, Int32Array>>;
  private readonly seen: Int32Array;

  constructor(
    private readonly columns: FeatureColumns,
    most: number,
  ) {
    const numbers = () => new Int32Array(most + 1);
    this.of = { direction: numbers(), distance: numbers(), between: numbers(), crossed: numbers() };
    this.seen = new Int32Array(columns.tagCount);
  }

  prepare(sentence: EncodedSentence, d: number): void {
    this.walk(sentence, d, -1);
    this.walk(sentence, d, 1);
  }

  /** Goes through the heads on one side, nearest first, and counts the tokens in between. */
  private walk({ length, columns }: EncodedSentence, d: number, step: 1 | -1): void {
    const { tag, form, punctuation } = this.columns;
    const { seen } = this;
    const { direction, distance, between, crossed } = this.of;
    const tagAt = columnStart(length, tag);
    const formAt = columnStart(length, form);
    const dependentTag = columns[tagAt + d];
    const right = step === 1 ? 1 : 0;
    const end = step === 1 ? length + 1 : -1;
    let marks = 0;
    let set = 0;
    seen.fill(0);
    for (let h = d + step, far = 1; h !== end; h += step, far++) {
      const headTag = columns[tagAt + h];
      direction[h] = right;
      distance[h] = 2 * (far <= 5 ? far : far <= 10 ? 6 : 7) + right;
      const counted = (atMostTwo(seen[headTag]) * 3 + atMostTwo(seen[dependentTag])) * 3 + atMostTwo(marks);
      between[h] = 2 * (counted * 3 + (far === 1 ? 0 : far < 4 ? 1 : 2)) + right;
      crossed[h] = 2 * set + right;
      seen[headTag]++;
      set |= 1 << (headTag % 29);
      marks += punctuation[columns[formAt + h]];
    }
  }
}

const atMostTwo = (count: number): number => (count < 2 ? count : 2);

export function arcKeys(model: BigramModel): PatternKeys<ArcFeature> {
  const columns = featureColumns(model);
  const patterns = arcNotation.patterns(model.settings.templates.arcs, patternColumns(model));
  return new PatternKeys(patterns, (most) => new ArcFeatureValues(columns, most));
}

/**
 * Log odds of arcs: sums of the gains of many patterns, weighted on held-out data. The gain of a pattern is its log
 * odds minus those of its backoff. A pattern determines its backoff, so its weighted gain is one number.
 */
export class InterpolatedEstimate implements ArcEstimate {
  private found = new Int32Array(0);

  constructor(
    private readonly keys: PatternKeys<ArcFeature>,
    private readonly tables: readonly KeyedNumbers[],
  ) {}

  static load(keys: PatternKeys<ArcFeature>, file: ModelReader): InterpolatedEstimate {
    const tables = keys.patterns.map(({ name }) => KeyedNumbers.load(file, `arcs.${name}`));
    return new InterpolatedEstimate(keys, tables);
  }

  save(file: ModelWriter): void {
    for (const [k, { name }] of this.keys.patterns.entries())
      file.section(`arcs.${name}`, this.tables[k].rows);
  }

  reasons(sentence: EncodedSentence, d: number): ArcReasons {
    const { keys, tables } = this;
    keys.prepare(sentence);
    keys.enter(d);
    return { gains: (head) => tables.map((table, k) => table.numberOf(keys.key(k, head, d)) / GAIN_UNIT) };
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
