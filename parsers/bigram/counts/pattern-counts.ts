import type { Example } from '../../../src/training/examples.ts';
import type { ArcPart } from '../arcs/arc-parts.ts';
import type { PatternKeys } from '../patterns/pattern-keys.ts';
import type { Turns } from '../turns.ts';
import { KeyedNumbers } from './keyed-numbers.ts';
import { SeenOnce } from './seen-once.ts';

/** Where a count stands in the row of a pattern: of all pairs, of those that are arcs; and its backoff's key. */
export const Row = { pairs: 1, arcs: 2, backoff: 3, width: 4 } as const;

/** How many pairs a pattern's backoff weighs against its own: the exact number matters little. */
const BACKOFF_PAIRS = 2;

/**
 * How often the patterns of a pair of words were seen, and how often on an arc (Collins 1996: the probability
 * that two words are dependent, given that they are in one sentence). Estimates rest on a coarser pattern
 * where counts are small; one seen only once, and on no arc, counts as unseen.
 */
export class PatternCounts {
  readonly tables: readonly KeyedNumbers[];
  private pairs = 0;
  private arcs = 0;
  /** keysOf[k][h]: the key of pattern k for the arc from h to the dependent at hand. */
  private keysOf: Int32Array[];

  private constructor(readonly keys: PatternKeys<ArcPart>) {
    this.tables = keys.patterns.map(() => new KeyedNumbers(Row.width));
    this.keysOf = this.tables.map(() => new Int32Array(1));
  }

  /** The counts of all sentences. */
  static async of(
    keys: PatternKeys<ArcPart>,
    examples: readonly Example[],
    turns: Turns,
  ): Promise<PatternCounts> {
    const counts = new PatternCounts(keys);
    const once = new SeenOnce();
    await turns.begin();
    await turns.forEach(examples, (example) => counts.add(example, once));
    return counts;
  }

  /** Counts the pairs and arcs of a sentence. */
  private add(example: Example, once: SeenOnce): void {
    const { length, heads } = example;
    this.prepare(example);
    for (let d = 1; d <= length; d++) {
      this.writeKeys(d);
      for (let k = 0; k < this.tables.length; k++) {
        for (let h = 0; h <= length; h++) if (h !== d) this.addPair(k, h, heads[d] === h, once);
      }
    }
    this.arcs += length;
    this.pairs += length ** 2;
  }

  /** Takes back what `add` counted (`by` −1), or counts that again (1). */
  change(example: Example, by: 1 | -1): void {
    const { length, heads } = example;
    this.prepare(example);
    for (let d = 1; d <= length; d++) {
      this.writeKeys(d);
      for (let k = 0; k < this.tables.length; k++) {
        const table = this.tables[k];
        const { rows } = table;
        const keys = this.keysOf[k];
        for (let h = 0; h <= length; h++) {
          const at = h === d ? -1 : table.find(keys[h]);
          if (at === -1) continue;
          rows[at + Row.pairs] += by;
          if (heads[d] === h) rows[at + Row.arcs] += by;
        }
      }
    }
    this.arcs += by * length;
    this.pairs += by * length ** 2;
  }

  private prepare(example: Example): void {
    const { length } = example;
    this.keys.prepare(example);
    if (this.keysOf[0].length <= length) this.keysOf = this.tables.map(() => new Int32Array(2 * length + 1));
  }

  private writeKeys(d: number): void {
    this.keys.enter(d);
    for (let k = 0; k < this.keysOf.length; k++) this.keys.write(k, d, this.keysOf[k]);
  }

  private addPair(k: number, h: number, isArc: boolean, once: SeenOnce): void {
    const table = this.tables[k];
    const key = this.keysOf[k][h];
    let at = table.find(key);
    if (at === -1) {
      const seen = once.meet(key);
      if (!seen && !isArc) return;
      at = table.add(key);
      const { backoff } = this.keys.patterns[k];
      table.rows[at + Row.pairs] = seen ? 1 : 0;
      table.rows[at + Row.backoff] = backoff === -1 ? 0 : this.keysOf[backoff][h];
    }
    table.rows[at + Row.pairs]++;
    if (isArc) table.rows[at + Row.arcs]++;
  }

  /** The probability that a pair is an arc, whatever it looks like. */
  get prior(): number {
    return (this.arcs + 1) / (this.pairs + 2);
  }

  /** Whether the counts of a row tell anything. */
  tells(rows: Int32Array, at: number): boolean {
    return rows[at + Row.arcs] > 0 || rows[at + Row.pairs] > 1;
  }

  /** The probability that a pair is an arc by the counts of a row and the estimate of its backoff. */
  estimate(rows: Int32Array, at: number, backoff: number): number {
    return (rows[at + Row.arcs] + BACKOFF_PAIRS * backoff) / (rows[at + Row.pairs] + BACKOFF_PAIRS);
  }
}
