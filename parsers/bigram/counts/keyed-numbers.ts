import type { ModelReader } from '../../../src/model/model-reader.ts';

/** The shares of rows in use up to which tables are filled, while they grow and when they are done. */
const FULLEST = 0.8;
const FULLEST_KEPT = 0.75;

/** By how much tables grow: in small steps, since they take most of the memory of a training. */
const GROWTH = 1.25;

/**
 * A hash table from keys to rows of whole numbers: open addressing with linear probing, in one array that a
 * model file can hold as it is. A row is its key and `width − 1` numbers, all 0 at first; the key 0 marks an
 * empty row, so that it is no key.
 */
export class KeyedNumbers {
  rows: Int32Array<ArrayBufferLike>;
  private used = 0;
  /** From keys, as whole numbers below 2^32, to rows. */
  private scale: number;

  /** An empty table, or one over the `rows` of another. */
  constructor(
    readonly width: number,
    rows: Int32Array<ArrayBufferLike> = new Int32Array(width * 64),
  ) {
    this.rows = rows;
    this.scale = rows.length / width / 2 ** 32;
    for (let at = 0; at < rows.length; at += width) if (rows[at] !== 0) this.used++;
  }

  /**
   * The table in a section of a model, whose numbers but for keys are `least` or more, if that is given; throws
   * `InputError` where it is none, or so full that the search for a key would not end.
   */
  static load(file: ModelReader, name: string, least?: number): KeyedNumbers {
    const rows = file.section(name, 'int32');
    const width = 2;
    if (rows.length < width || rows.length % width !== 0)
      file.refuse(`section ${name}: expected rows of ${width}`);
    const table = new KeyedNumbers(width, rows);
    if (table.used * width > FULLEST * rows.length) file.refuse(`section ${name}: too few rows are free`);
    for (let at = 1; least !== undefined && at < rows.length; at += width) {
      if (rows[at] < least) file.refuse(`section ${name}: expected ${least} or more, not ${rows[at]}`);
    }
    return table;
  }

  /** Where the row of a key begins in `rows`, or −1. */
  find(key: number): number {
    const at = this.place(key);
    return this.rows[at] === 0 ? -1 : at;
  }

  /** Where the row of a key begins; a new row where there is none. Rows move when one is added. */
  add(key: number): number {
    let at = this.place(key);
    if (this.rows[at] !== 0) return at;
    this.used++;
    if (this.used * this.width > FULLEST * this.rows.length) {
      this.resize(Math.ceil((GROWTH * this.rows.length) / this.width));
      at = this.place(key);
    }
    this.rows[at] = key;
    return at;
  }

  /** Adds to the first number in the row of a key. */
  raise(key: number, by: number): void {
    // In two steps, since adding a row may put a new array in place of `rows`.
    const at = this.add(key);
    this.rows[at + 1] += by;
  }

  /** Gives up most of the space for rows to come: tables are kept for good so. */
  trim(): this {
    this.resize(rowsFor(this.used));
    return this;
  }

  /** A table of the first number of every row, where that is not 0. */
  firstNumbers(): KeyedNumbers {
    const { rows, width } = this;
    let count = 0;
    for (let at = 0; at < rows.length; at += width) if (rows[at + 1] !== 0) count++;
    const table = new KeyedNumbers(2, new Int32Array(2 * rowsFor(count)));
    for (let at = 0; at < rows.length; at += width) {
      if (rows[at + 1] !== 0) table.raise(rows[at], rows[at + 1]);
    }
    return table;
  }

  private place(key: number): number {
    const { rows, width } = this;
    const end = rows.length;
    let at = (((key >>> 0) * this.scale) >>> 0) * width;
    while (rows[at] !== 0 && rows[at] !== key) {
      at += width;
      if (at === end) at = 0;
    }
    return at;
  }

  private resize(count: number): void {
    const { rows: old, width } = this;
    this.rows = new Int32Array(count * width);
    this.scale = count / 2 ** 32;
    for (let from = 0; from < old.length; from += width) {
      if (old[from] === 0) continue;
      const to = this.place(old[from]);
      for (let i = 0; i < width; i++) this.rows[to + i] = old[from + i];
    }
  }
}

/** How many rows a table that is kept for good has for so many keys. */
function rowsFor(keys: number): number {
  return Math.ceil(keys / FULLEST_KEPT) + 1;
}
