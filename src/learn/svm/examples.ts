import { UsageError } from '../../errors.ts';

/** The most features that all examples together may have: offsets are whole numbers of 32 bits, signed. */
const MOST_FEATURES = 2 ** 31 - 1;

/**
 * Sparse labelled examples, one after the other (CSR): example i has features[offsets[i]…offsets[i + 1] − 1]
 * and the class targets[i]. Arrays may be longer than what is used.
 */
export interface Examples {
  readonly count: number;
  readonly offsets: Int32Array;
  /** Whole numbers; those of one example in any order. */
  readonly features: Int32Array;
  /** The features' values; absent where all are 1. */
  readonly values?: Float32Array | undefined;
  /** Classes, numbered from 0. */
  readonly targets: Int32Array;
}

/**
 * Examples that are collected one by one, over shared memory: an instance sent to a worker (structured clone)
 * arrives there as plain `Examples` over the same memory.
 */
export class SparseExamples implements Examples {
  count = 0;
  offsets = new Int32Array(new SharedArrayBuffer(4 * 1024));
  features = new Int32Array(new SharedArrayBuffer(4 * 16384));
  values: Float32Array | undefined;
  targets = new Int32Array(new SharedArrayBuffer(4 * 1024));

  /** Adds an example of binary features: features[0…count − 1]. Throws `UsageError` beyond 2³¹ features. */
  add(features: Int32Array, count: number, target: number): void {
    const start = this.begin(count, target);
    for (let j = 0; j < count; j++) this.features[start + j] = features[j];
    this.values?.fill(1, start, start + count);
  }

  /** Adds an example whose features have values; features of examples added before have the value 1. */
  addWithValues(features: Int32Array, values: Float32Array, count: number, target: number): void {
    this.values ??= floats(this.features.length).fill(1, 0, this.offsets[this.count]);
    const start = this.begin(count, target);
    for (let j = 0; j < count; j++) this.features[start + j] = features[j];
    for (let j = 0; j < count; j++) this.values[start + j] = values[j];
  }

  /** Makes room for an example and says where its features go. */
  private begin(count: number, target: number): number {
    const start = this.offsets[this.count];
    this.reserve(start + count);
    this.targets[this.count++] = target;
    this.offsets[this.count] = start + count;
    return start;
  }

  private reserve(features: number): void {
    if (features > MOST_FEATURES) throw new UsageError('the examples have more than 2^31 features in all');
    if (features > this.features.length) {
      const length = Math.min(MOST_FEATURES, Math.max(features, 2 * this.features.length));
      this.features = grown(this.features, length);
      if (this.values !== undefined) {
        const values = floats(length);
        values.set(this.values);
        this.values = values;
      }
    }
    if (this.count + 2 > this.offsets.length) {
      this.offsets = grown(this.offsets, 2 * this.offsets.length);
      this.targets = grown(this.targets, this.offsets.length);
    }
  }
}

function floats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}

function grown(array: Int32Array, length: number): Int32Array<SharedArrayBuffer> {
  const longer = new Int32Array(new SharedArrayBuffer(4 * length));
  longer.set(array);
  return longer;
}
