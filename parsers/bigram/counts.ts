import type { ModelReader } from '../../src/model/model-reader.ts';

/** Gains are stored as multiples of 1/4096. */
export const GAIN_UNIT = 4096;
/** Maximum load factors: while a table grows, and once it is complete. */
const FULLEST = 0.8;
const FULLEST_KEPT = 0.75;
/** Growth factor: small, since tables take most of a training's memory. */
const GROWTH = 1.25;

/**
 * A hash table of integers (open addressing, linear probing) in one array, which is saved unchanged. A row is
 * a key and `width − 1` numbers, initially 0. The key 0 marks an empty row.
 */
export class KeyedNumbers {
  rows: Int32Array<ArrayBufferLike>;
  private used = 0;
  /** Number of rows / 2^32: maps unsigned keys to rows. */
  private scale: number;

  constructor(
    readonly width: number,
    rows: Int32Array<ArrayBufferLike> = new Int32Array(width * 64),
  ) {
    this.rows = rows;
    this.scale = rows.length / width / 2 ** 32;
    for (let at = 0; at < rows.length; at += width) if (rows[at] !== 0) this.used++;
  }

  /** Throws `InputError` if rows are invalid, or lookups would not end; `least`: lower bound of the numbers. */
  static load(file: ModelReader, name: string, least?: number): KeyedNumbers {
    const rows = file.section(name, 'int32');
    const width = 2;
    if (rows.length < width || rows.length % width !== 0)
      file.refuse(`section ${name}: expected rows of ${width}`);
    const table = new KeyedNumbers(width, rows);
    if (table.used * width > FULLEST * rows.length) file.refuse(`section ${name}: too few rows are free`);
    for (let at = 1; least !== undefined && at < rows.length; at += width)
      if (rows[at] < least) file.refuse(`section ${name}: expected ${least} or more, not ${rows[at]}`);
    return table;
  }

  /** The index in `rows` of a key's row, or −1. */
  find(key: number): number {
    const at = this.place(key);
    return this.rows[at] === 0 ? -1 : at;
  }

  /** The first number of a key's row; 0 without a row. */
  numberOf(key: number): number {
    const at = this.place(key);
    return this.rows[at] === 0 ? 0 : this.rows[at + 1];
  }

  /** Returns the index of a key's row, adding a row for a new key; adding may move all rows. */
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

  raise(key: number, by: number): void {
    // In two steps, since adding a row may put a new array in place of `rows`.
    const at = this.add(key);
    this.rows[at + 1] += by;
  }

  trim(): this {
    this.resize(rowsFor(this.used));
    return this;
  }

  /** A table of width 2 of the first numbers, without zeros. */
  firstNumbers(): KeyedNumbers {
    const { rows, width } = this;
    let count = 0;
    for (let at = 0; at < rows.length; at += width) if (rows[at + 1] !== 0) count++;
    const table = new KeyedNumbers(2, new Int32Array(2 * rowsFor(count)));
    for (let at = 0; at < rows.length; at += width)
      if (rows[at + 1] !== 0) table.raise(rows[at], rows[at + 1]);
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

const rowsFor = (keys: number): number => Math.ceil(keys / FULLEST_KEPT) + 1;

/** Layout of packed counts: pairs in the lower bits, arcs above, then the sign. */
const PAIR_BITS = 16;
const MOST_PAIRS = 2 ** PAIR_BITS - 1;
const MOST_ARCS = 2 ** (31 - PAIR_BITS) - 1;

/** Counts of pairs and of arcs among them, packed into one integer; large ones are in lists, whose index is ~packed. */
export class PackedCounts {
  private readonly largePairs: number[] = [];
  private readonly largeArcs: number[] = [];

  pairs(packed: number): number {
    return packed < 0 ? this.largePairs[~packed] : packed & MOST_PAIRS;
  }

  arcs(packed: number): number {
    return packed < 0 ? this.largeArcs[~packed] : packed >> PAIR_BITS;
  }

  /** Adds to packed counts; 0 means none. */
  plus(packed: number, pairs: number, arcs: number): number {
    const allPairs = this.pairs(packed) + pairs;
    const allArcs = this.arcs(packed) + arcs;
    if (packed >= 0 && allPairs <= MOST_PAIRS && allArcs <= MOST_ARCS)
      return (allArcs << PAIR_BITS) | allPairs;
    const place = packed < 0 ? ~packed : this.largePairs.length;
    this.largePairs[place] = allPairs;
    this.largeArcs[place] = allArcs;
    return ~place;
  }
}

const LOG_BITS = 27;

/**
 * A set of seen keys in 16 MB, with rare collisions. Most word pairs occur only once; without this set they
 * would fill the tables.
 */
export class SeenOnce {
  private readonly bits = new Uint32Array(2 ** (LOG_BITS - 5));

  /** Marks a key as seen; returns whether it was seen before. */
  meet(key: number): boolean {
    const bit = key >>> (32 - LOG_BITS);
    const mask = 1 << (bit & 31);
    const met = (this.bits[bit >>> 5] & mask) !== 0;
    this.bits[bit >>> 5] |= mask;
    return met;
  }
}
