import { type EncodedSentence, valueAt } from '../../src/encoding/columns.ts';
import type { LabelCandidates } from '../../src/encoding/label-candidates.ts';
import { finish, mix } from '../../src/learn/hashing.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { type BigramModel, featureColumns, patternColumns } from './bigram-model.ts';
import { GAIN_UNIT, KeyedNumbers } from './counts.ts';
import type { FeatureColumns, FeatureValues, LabelFeature, Pattern } from './patterns.ts';
import { labelNotation, PatternKeys } from './patterns.ts';

/** Computes `LabelFeature`s; `tree.heads` may be replaced between sentences. */
export class LabelFeatureValues implements FeatureValues<LabelFeature> {
  readonly of: Readonly<Record<LabelFeature, Int32Array>>;

  constructor(
    private readonly columns: FeatureColumns,
    private readonly tree: { readonly heads: Int32Array },
    most: number,
  ) {
    const numbers = () => new Int32Array(most + 1);
    this.of = { direction: numbers(), distance: numbers(), marker: numbers(), sibling: numbers() };
  }

  prepare(sentence: EncodedSentence, d: number): void {
    const { heads } = this.tree;
    const { tag, form } = this.columns;
    const h = heads[d];
    const right = h > d ? 1 : 0;
    const far = Math.abs(h - d);
    const marker = first(heads, 1, d, d);
    const sibling = h < d ? first(heads, d - 1, h, h) : first(heads, d + 1, h, h);
    this.of.direction[h] = right;
    this.of.distance[h] = 2 * (far === 1 ? 0 : far < 4 ? 1 : 2) + right;
    this.of.marker[h] = 2 * (marker === 0 ? 0 : valueAt(sentence, form, marker) + 1) + right;
    this.of.sibling[h] = 2 * (sibling === 0 ? 0 : valueAt(sentence, tag, sibling) + 1) + right;
  }
}

/** Returns the first token with head h in [from, to), in either direction; 0: none. */
function first(heads: Int32Array, from: number, to: number, h: number): number {
  const step = from < to ? 1 : -1;
  for (let i = from; i !== to; i += step) if (heads[i] === h) return i;
  return 0;
}

/** Hash keys of the label patterns of arcs in a tree. */
export class LabelKeys {
  /** By pattern: the key of the arc set by `enter`. */
  readonly current: Int32Array;
  private readonly keys: PatternKeys<LabelFeature>;
  private readonly tree = { heads: new Int32Array(0) as Int32Array };

  constructor(
    readonly patterns: readonly Pattern<LabelFeature>[],
    columns: FeatureColumns,
  ) {
    this.current = new Int32Array(patterns.length);
    this.keys = new PatternKeys(patterns, (most) => new LabelFeatureValues(columns, this.tree, most));
  }

  prepare(sentence: EncodedSentence, heads: Int32Array): void {
    this.tree.heads = heads;
    this.keys.prepare(sentence);
  }

  enter(d: number): void {
    this.keys.enter(d);
    const h = this.tree.heads[d];
    for (let k = 0; k < this.current.length; k++) this.current[k] = this.keys.key(k, h, d);
  }
}

export function labelKeys(model: BigramModel): LabelKeys {
  const patterns = labelNotation.patterns(model.settings.templates.labels, patternColumns(model));
  return new LabelKeys(patterns, featureColumns(model));
}

/** Combines a pattern's key with a label. */
export function labelKey(patternKey: number, label: number): number {
  return finish(mix(patternKey, label + 1)) || 1;
}

/** A labeller that interpolates relative frequencies, as `InterpolatedEstimate` does for arcs. */
export class Labels {
  constructor(
    private readonly keys: LabelKeys,
    private readonly candidates: LabelCandidates,
    private readonly tables: readonly KeyedNumbers[],
  ) {}

  static load(keys: LabelKeys, candidates: LabelCandidates, file: ModelReader): Labels {
    const tables = keys.patterns.map(({ name }) => KeyedNumbers.load(file, `labels.${name}`));
    return new Labels(keys, candidates, tables);
  }

  save(file: ModelWriter): void {
    for (const [k, { name }] of this.keys.patterns.entries())
      file.section(`labels.${name}`, this.tables[k].rows);
  }

  /** Writes the best label of every arc; ties: the first candidate. */
  find(sentence: EncodedSentence, heads: Int32Array, labels: Int32Array): void {
    this.keys.prepare(sentence, heads);
    for (let d = 1; d <= sentence.length; d++) {
      this.keys.enter(d);
      const candidates = this.candidates.of(sentence, heads[d], d);
      let highest = -Infinity;
      for (const label of candidates) {
        let score = 0;
        for (let k = 0; k < this.tables.length; k++) score += this.gain(k, label);
        if (score <= highest) continue;
        highest = score;
        labels[d] = label;
      }
    }
  }

  /** Returns the gain of each pattern for a label of the arc into d. */
  gains(sentence: EncodedSentence, heads: Int32Array, d: number, label: number): number[] {
    this.keys.prepare(sentence, heads);
    this.keys.enter(d);
    return this.tables.map((_, k) => this.gain(k, label) / GAIN_UNIT);
  }

  private gain(k: number, label: number): number {
    return this.tables[k].numberOf(labelKey(this.keys.current[k], label));
  }
}
