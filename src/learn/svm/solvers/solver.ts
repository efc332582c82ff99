import { Random } from '../../random.ts';
import { type ExampleReader, squaredNorms } from '../examples.ts';

export interface SolverOptions {
  readonly cost: number;
  readonly epsilon: number;
  readonly shrinking: boolean;
  readonly seed: number;
}

/** The variables left by shrinking: a bit for every (example, class). Examples with any bit set come first. */
export class ActiveSet {
  readonly examples: Int32Array;
  size: number;
  private readonly words: number;
  private readonly bits: Int32Array;
  /** Bit set of the classes that are not finished. */
  private readonly live: Int32Array;

  /** @param allowed initial bits (`ExampleReader.allowed`) */
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

  shuffle(random: Random): void {
    random.shuffle(this.examples.subarray(0, this.size));
  }

  /** Lists the active classes of example i in ascending order; returns their number. */
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

  remove(i: number, c: number): void {
    this.bits[i * this.words + (c >> 5)] &= ~(1 << (c & 31));
  }

  /** Removes the example at a position of `examples`; the last one left in this pass takes its place. */
  removeAt(position: number): void {
    const { examples } = this;
    const last = --this.size;
    const i = examples[position];
    examples[position] = examples[last];
    examples[last] = i;
  }

  restore(c: number): void {
    const bit = 1 << (c & 31);
    const { bits, words, allowed } = this;
    for (let at = c >> 5; at < bits.length; at += words)
      bits[at] |= allowed === undefined ? bit : bit & allowed[at];
    this.size = this.count;
  }

  restoreAll(): void {
    if (this.allowed === undefined) this.bits.fill(-1);
    else this.bits.set(this.allowed.subarray(0, this.bits.length));
    this.size = this.count;
  }

  finish(c: number): void {
    this.live[c >> 5] &= ~(1 << (c & 31));
  }
}

/** A training in progress: passes over examples, each in pieces so that the event loop gets its turn. */
export abstract class Solver {
  readonly weights: Float32Array;
  /** Dual variables at example * classes + class. */
  readonly alphas: Float32Array;
  isDone = false;
  protected readonly set: ActiveSet;
  protected readonly norms: Float64Array;
  /** For the current example: its active classes, the classes whose variables move, and their steps. */
  protected readonly list: Int32Array;
  protected readonly moving: Int32Array;
  protected readonly steps: Float64Array;
  private readonly random: Random;

  constructor(
    protected readonly reader: ExampleReader,
    protected readonly options: SolverOptions,
  ) {
    const { count, classes, size, allowed } = reader;
    this.weights = new Float32Array(new SharedArrayBuffer(4 * size));
    this.alphas = new Float32Array(count * classes);
    this.set = new ActiveSet(count, classes, allowed);
    this.random = new Random(options.seed);
    this.norms = squaredNorms(reader, this.weights);
    this.list = new Int32Array(classes);
    this.moving = new Int32Array(classes);
    this.steps = new Float64Array(classes);
  }

  get active(): number {
    return this.set.size;
  }

  beginPass(): void {
    this.set.shuffle(this.random);
  }

  /** Learns from up to `atMost` examples from a position on; returns the next position, or −1 at the end. */
  abstract learn(position: number, atMost: number): number;

  /** Ends the pass and sets `isDone`; returns the pass's largest violation of optimality. */
  abstract endPass(): number;

  abstract objective(): number;
}
