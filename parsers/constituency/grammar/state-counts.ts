import type { NumberReader } from '../../../src/model/number-reader.ts';

/** The largest count: they fit into 32 bits. */
const MOST = 2 ** 31 - 1;

/** How often each of a set of strings (words, classes of words) has been seen with each state of a grammar. */
export class StateCounts {
  private readonly rows = new Map<string, Map<number, number>>();

  /** The counts of a string, by state; undefined where it has not been seen. */
  of(string: string): ReadonlyMap<number, number> | undefined {
    return this.rows.get(string);
  }

  /** How often a string has been seen, with whatever state. */
  total(string: string): number {
    let total = 0;
    for (const count of this.of(string)?.values() ?? []) total += count;
    return total;
  }

  add(string: string, state: number, count = 1): void {
    const row = this.rows.get(string) ?? new Map<number, number>();
    row.set(state, (row.get(state) ?? 0) + count);
    this.rows.set(string, row);
  }

  /** All strings, in the order of their first appearance. */
  strings(): string[] {
    return [...this.rows.keys()];
  }

  /** For each string, in the same order: how many states, then each with its count. */
  toArray(): Int32Array {
    return Int32Array.from([...this.rows.values()].flatMap((row) => [row.size, ...[...row].flat()]));
  }

  /** The counts that `strings` and `toArray` gave, of so many states. */
  static from(strings: readonly string[], numbers: NumberReader, stateCount: number): StateCounts {
    const counts = new StateCounts();
    for (const string of strings) {
      for (let left = numbers.next(1, stateCount); left > 0; left--) {
        counts.add(string, numbers.next(0, stateCount - 1), numbers.next(1, MOST));
      }
    }
    return counts;
  }

  /** All states that any string has been seen with. */
  states(): Set<number> {
    return new Set([...this.rows.values()].flatMap((row) => [...row.keys()]));
  }
}
