import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { KeyedNumbers } from '../counts/keyed-numbers.ts';
import { type LabelKeys, labelKey } from './label-keys.ts';

/** Gains are kept in units of 1/4096. */
export const LABEL_GAIN_UNIT = 4096;

/**
 * Labels a tree by relative frequencies: those of each label with many patterns of its arc, backed off and
 * weighted as the estimate of arcs is.
 */
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
    this.keys.patterns.forEach(({ name }, k) => {
      file.section(`labels.${name}`, this.tables[k].rows);
    });
  }

  /** Writes the best label of every arc of a tree, as numbers; of equal ones the lowest. */
  find(sentence: EncodedSentence, heads: Int32Array, labels: Int32Array): void {
    this.keys.prepare(sentence, heads);
    for (let d = 1; d <= sentence.length; d++) {
      this.keys.enter(d);
      const candidates = this.candidates.of(sentence, heads[d], d);
      let highest = -Infinity;
      for (const label of candidates) {
        const score = this.score(label);
        if (score <= highest) continue;
        highest = score;
        labels[d] = label;
      }
    }
  }

  /** What each pattern of the arc into d of a tree adds to the score of a label. */
  gains(sentence: EncodedSentence, heads: Int32Array, d: number, label: number): number[] {
    this.keys.prepare(sentence, heads);
    this.keys.enter(d);
    return this.tables.map((_, k) => this.gain(k, label) / LABEL_GAIN_UNIT);
  }

  private score(label: number): number {
    let score = 0;
    for (let k = 0; k < this.tables.length; k++) score += this.gain(k, label);
    return score;
  }

  private gain(k: number, label: number): number {
    const at = this.tables[k].find(labelKey(this.keys.current[k], label));
    return at === -1 ? 0 : this.tables[k].rows[at + 1];
  }
}
