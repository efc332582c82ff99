import type { Example } from '../../../src/training/examples.ts';
import type { ArcPart } from '../arcs/arc-parts.ts';
import type { PatternKeys } from '../patterns/pattern-keys.ts';
import type { Phases } from '../phases.ts';
import { KeyedNumbers } from './keyed-numbers.ts';
import { PackedCounts } from './packed-counts.ts';
import { SeenOnce } from './seen-once.ts';

/** What stands in the row of a pattern: the counts of all pairs and of those that are arcs; its backoff's key. */
export const Row = { counts: 1, backoff: 2, width: 3 } as const;

/** How many pairs a pattern's backoff weighs against its own: the exact number matters little. */
const BACKOFF_PAIRS = 2;

/**
 * How often the patterns of a pair of words were seen, and how often on an arc (Collins 1996: the probability
 * that two words are dependent, given that they are in one sentence). Estimates rest on a coarser pattern
 * where counts are small; one seen only once, and on no arc, counts as unseen.
 */
export class PatternCounts {
  readonly tables: KeyedNumbers[];
  private readonly packed = new PackedCounts();
  private allPairs = 0;
  private allArcs = 0;
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
    phases: Phases,
  ): Promise<PatternCounts> {
    const counts = new PatternCounts(keys);
    const once = new SeenOnce();
    await phases.begin();
    await phases.forEach(examples, (example) => counts.add(example, once));
    return counts;
  }

  /** Gives up what was counted of a pattern, and its memory. */
  forget(k: number): void {
    this.tables[k] = new KeyedNumbers(Row.width);
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
    this.allArcs += length;
    this.allPairs += length ** 2;
  }

  /** Takes back what `add` counted (`by` −1), or counts that again (1). */
  change(example: Example, by: 1 | -1): void {
    const { length, heads } = example;
    const { packed } = this;
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
          rows[at + Row.counts] = packed.plus(rows[at + Row.counts], by, heads[d] === h ? by : 0);
        }
      }
    }
    this.allArcs += by * length;
    this.allPairs += by * length ** 2;
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
      if (seen) table.rows[at + Row.counts] = this.packed.plus(0, 1, 0);
      table.rows[at + Row.backoff] = backoff === -1 ? 0 : this.keysOf[backoff][h];
    }
    const { rows } = table;
    rows[at + Row.counts] = this.packed.plus(rows[at + Row.counts], 1, isArc ? 1 : 0);
  }

  /** The probability that a pair is an arc, whatever it looks like. */
  get prior(): number {
    return (this.allArcs + 1) / (this.allPairs + 2);
  }

  /** How many pairs a row counts. */
  pairs(rows: Int32Array, at: number): number {
    return this.packed.pairs(rows[at + Row.counts]);
  }

  /** How many of these are arcs. */
  arcs(rows: Int32Array, at: number): number {
    return this.packed.arcs(rows[at + Row.counts]);
  }

  /** Whether the counts of a row tell anything. */
  tells(rows: Int32Array, at: number): boolean {
    return this.arcs(rows, at) > 0 || this.pairs(rows, at) > 1;
  }

  /** The probability that a pair is an arc by the counts of a row and the estimate of its backoff. */
  estimate(rows: Int32Array, at: number, backoff: number): number {
    return (this.arcs(rows, at) + BACKOFF_PAIRS * backoff) / (this.pairs(rows, at) + BACKOFF_PAIRS);
  }
}
