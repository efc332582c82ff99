import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import type { Example } from '../../../src/training/examples.ts';
import { KeyedNumbers } from '../counts/keyed-numbers.ts';
import { weigh } from '../smoothing/weights.ts';
import type { Turns } from '../turns.ts';
import { LabelCounts, labelKey } from './label-counts.ts';
import type { LabelKeys } from './label-keys.ts';

/** Gains are kept in units of 1/4096. */
const UNIT = 4096;

/**
 * Labels a tree by relative frequencies: those of each label with many patterns of its arc, backed off and
 * weighted as the estimate of arcs is.
 */
export class Labels {
  /** Of learning. */
  static readonly phases = 4;

  constructor(
    private readonly keys: LabelKeys,
    private readonly candidates: LabelCandidates,
    private readonly tables: readonly KeyedNumbers[],
  ) {}

  static async learn(
    keys: LabelKeys,
    candidates: LabelCandidates,
    labelCount: number,
    examples: readonly Example[],
    seed: number,
    turns: Turns,
  ): Promise<Labels> {
    const counts = new LabelCounts(keys, labelCount, candidates);
    await turns.begin();
    await turns.forEach(examples, (example) => counts.change(example, 1));
    const weights = await weigh(counts, keys.patterns.length, examples, seed, turns);
    return new Labels(keys, candidates, await drawTogether(keys, counts, weights, examples, turns));
  }

  static load(keys: LabelKeys, candidates: LabelCandidates, file: ModelReader): Labels {
    const tables = keys.patterns.map(
      ({ name }) => new KeyedNumbers(2, file.section(`labels.${name}`, 'int32')),
    );
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

  private score(label: number): number {
    let score = 0;
    for (let k = 0; k < this.tables.length; k++) {
      const at = this.tables[k].find(labelKey(this.keys.current[k], label));
      if (at !== -1) score += this.tables[k].rows[at + 1];
    }
    return score;
  }
}

/** The weighted gains of every pattern for the labels that it was seen with. */
async function drawTogether(
  keys: LabelKeys,
  counts: LabelCounts,
  weights: Float64Array,
  examples: readonly Example[],
  turns: Turns,
): Promise<KeyedNumbers[]> {
  const tables = keys.patterns.map(() => new KeyedNumbers(2));
  await turns.begin();
  await turns.forEach(examples, (example) => {
    keys.prepare(example, example.heads);
    for (let d = 1; d <= example.length; d++) {
      const label = example.labels[d];
      keys.enter(d);
      counts.readChoice(Int32Array.of(label));
      tables.forEach((table, k) => {
        const value = Math.round(counts.weighted(k, 0, weights) * UNIT);
        const key = labelKey(keys.current[k], label);
        if (value !== 0 && table.find(key) === -1) table.raise(key, value);
      });
    }
  });
  return tables.map((table) => table.trim());
}
