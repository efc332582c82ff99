import type { Random } from '../../random.ts';

/**
 * What shrinking has left: which classes of which examples are still worked on. One bit for every
 * (example, class), and the examples that have any in front of `examples`.
 */
export class ActiveSet {
  /** All examples; the first `size` are to be visited. */
  readonly examples: Int32Array;
  size: number;
  private readonly words: number;
  private readonly bits: Int32Array;
  /** The classes that are still worked on at all. */
  private readonly live: Int32Array;

  /** `allowed`: the bits to begin with, where not all (`ExampleReader`). */
  constructor(
    readonly count: number,
    readonly classes: number,
    private readonly allowed?: Int32Array,
  ) {
    this.examples = Int32Array.from({ length: count }, (_, i) => i);
    this.size = count;
    this.words = Math.ceil(classes / 32);
    this.bits = allowed?.slice(0, count * this.words) ?? new Int32Array(count * this.words).fill(-1);
    this.live = new Int32Array(this.words);
    for (let c = 0; c < classes; c++) this.live[c >> 5] |= 1 << (c & 31);
  }

  /** A new random order of the examples to be visited. */
  shuffle(random: Random): void {
    random.shuffle(this.examples.subarray(0, this.size));
  }

  /** Lists the classes, in ascending order, that example i is still worked on for; gives their number. */
  list(i: number, into: Int32Array): number {
    let count = 0;
    for (let word = 0; word < this.words; word++) {
      let bits = this.bits[i * this.words + word] & this.live[word];
      while (bits !== 0) {
        const lowest = bits & -bits;
        into[count++] = 32 * word + 31 - Math.clz32(lowest);
        bits ^= lowest;
      }
    }
    return count;
  }

  /** Leaves out a class of an example. */
  remove(i: number, c: number): void {
    this.bits[i * this.words + (c >> 5)] &= ~(1 << (c & 31));
  }

  /** Leaves out the example at a position of `examples`; the last one to be visited takes its place. */
  removeAt(position: number): void {
    const { examples } = this;
    const last = --this.size;
    const i = examples[position];
    examples[position] = examples[last];
    examples[last] = i;
  }

  /** Takes every example in again for one class. */
  restore(c: number): void {
    const bit = 1 << (c & 31);
    const { bits, words, allowed } = this;
    for (let at = c >> 5; at < bits.length; at += words) {
      bits[at] |= allowed === undefined ? bit : bit & allowed[at];
    }
    this.size = this.count;
  }

  /** Takes every class of every example in again, but for classes that are finished. */
  restoreAll(): void {
    if (this.allowed === undefined) this.bits.fill(-1);
    else this.bits.set(this.allowed.subarray(0, this.bits.length));
    this.size = this.count;
  }

  /** Ends the work on a class. */
  finish(c: number): void {
    this.live[c >> 5] &= ~(1 << (c & 31));
  }
}
