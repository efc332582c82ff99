import { lengthened } from '../src/typed-arrays.ts';

/** The number of a hash that is not in the index. */
export const NONE = -1;

/** Numbers hashes from 0 in the order in which they are added: an open-addressing hash table. */
export class HashIndex {
  private table: Int32Array = new Int32Array(1024);
  /** Two entries per slot: a hash, and its number + 1 (0: the slot is free). */
  private slots = new Int32Array(4096);
  size = 0;

  /** Makes an index of distinct hashes, in order. The array is not copied and must not change. */
  static of(hashes: Int32Array): HashIndex {
    const index = new HashIndex();
    index.place(hashes, hashes.length);
    index.size = hashes.length;
    return index;
  }

  /** The number of a hash; a new hash gets the next one. */
  add(hash: number): number {
    const slot = this.slotOf(hash);
    if (this.slots[slot + 1] !== 0) return this.slots[slot + 1] - 1;
    const number = this.size++;
    if (number === this.table.length) this.grow();
    this.table[number] = hash;
    this.put(hash, number);
    return number;
  }

  /** The number of a hash, or `NONE`. */
  numberOf(hash: number): number {
    return this.slots[this.slotOf(hash) + 1] - 1;
  }

  hashes(): Int32Array {
    return this.table.slice(0, this.size);
  }

  private put(hash: number, number: number): void {
    const slot = this.slotOf(hash);
    this.slots[slot] = hash;
    this.slots[slot + 1] = number + 1;
  }

  private slotOf(hash: number): number {
    const slots = this.slots;
    const mask = slots.length - 1;
    let slot = (2 * Math.imul(hash, 0x9e3779b1)) & mask;
    while (slots[slot + 1] !== 0 && slots[slot] !== hash) slot = (slot + 2) & mask;
    return slot;
  }

  private grow(): void {
    const before = this.table;
    const capacity = Math.max(1, 2 * before.length);
    this.place(before, capacity);
    this.table = lengthened(before, capacity);
  }

  /** Rebuilds the table from these hashes; `capacity` hashes take at most half of its slots. */
  private place(hashes: Int32Array, capacity: number): void {
    this.table = hashes;
    this.slots = new Int32Array(4 * 2 ** Math.ceil(Math.log2(Math.max(1, capacity))));
    for (let i = 0; i < hashes.length; i++) this.put(hashes[i], i);
  }
}
