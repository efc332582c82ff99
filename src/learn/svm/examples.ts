import { UsageError } from '../../errors.ts';

/** Limit on the features of all examples together: offsets are signed 32-bit integers. */
const MOST_FEATURES = 2 ** 31 - 1;

/** Sparse examples: i has features[offsets[i]…offsets[i + 1] − 1] and class targets[i]; arrays may be longer. */
export interface Examples {
  readonly count: number;
  readonly offsets: Int32Array;
  /** Feature numbers, in any order within an example. */
  readonly features: Int32Array;
  readonly values?: Float32Array | undefined;
  /** Classes, numbered from 0. */
  readonly targets: Int32Array;
}

/** Examples collected in shared memory: sent to a worker, they arrive as plain `Examples` over the same memory. */
export class SparseExamples implements Examples {
  count = 0;
  offsets = new Int32Array(new SharedArrayBuffer(4 * 1024));
  features = new Int32Array(new SharedArrayBuffer(4 * 16384));
  values: Float32Array | undefined;
  targets = new Int32Array(new SharedArrayBuffer(4 * 1024));

  /** Adds an example with the binary features[0…count − 1]. Throws `UsageError` beyond 2³¹ features. */
  add(features: Int32Array, count: number, target: number): void {
    const start = this.begin(count, target);
    for (let j = 0; j < count; j++) this.features[start + j] = features[j];
    this.values?.fill(1, start, start + count);
  }

  /** Adds an example whose features have values; features of earlier examples get the value 1. */
  addWithValues(features: Int32Array, values: Float32Array, count: number, target: number): void {
    this.values ??= grown(new Float32Array(0), this.features.length).fill(1, 0, this.offsets[this.count]);
    const start = this.begin(count, target);
    for (let j = 0; j < count; j++) this.features[start + j] = features[j];
    for (let j = 0; j < count; j++) this.values[start + j] = values[j];
  }

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
      if (this.values !== undefined) this.values = grown(this.values, length);
    }
    if (this.count + 2 > this.offsets.length) {
      this.offsets = grown(this.offsets, 2 * this.offsets.length);
      this.targets = grown(this.targets, this.offsets.length);
    }
  }
}

/** Copies an array into longer shared memory, with zeros at its end. */
function grown<A extends Int32Array | Float32Array>(array: A, length: number): A {
  const Numbers = array.constructor as new (memory: SharedArrayBuffer) => A;
  const longer = new Numbers(new SharedArrayBuffer(4 * length));
  longer.set(array);
  return longer;
}

/** Presents examples to a solver one at a time, as sparse rows of the weights. */
export interface ExampleReader {
  readonly count: number;
  readonly targets: Int32Array;
  readonly size: number;
  /** Weights per row: one for each binary problem (a class, or a pair of classes). */
  readonly classes: number;
  /** The positive class of each problem; by default problem c has class c. */
  positives?: Int32Array | undefined;
  /** Bit sets of the problems that each example belongs to, ⌈classes / 32⌉ words per example; by default all. */
  allowed?: Int32Array | undefined;
  /** Row starts of the example read last, as places in the weights. */
  readonly starts: Int32Array;
  readonly values: Float32Array;
  /** Reads example i; returns its number of rows. A row may occur more than once: its values add up. */
  read(i: number): number;
}

/** Reads examples unchanged; a bias comes first and uses the last row of the weights. */
export function plainReader(
  examples: Examples,
  rows: number,
  classes: number,
  bias: number | undefined,
): ExampleReader {
  const { count, targets, offsets, features, values: given } = examples;
  const first = bias === undefined ? 0 : 1;
  const longest = first + longestExample(examples);
  const starts = new Int32Array(longest);
  const values = new Float32Array(longest).fill(1);
  if (bias !== undefined) {
    starts[0] = rows * classes;
    values[0] = bias;
  }
  const read = (i: number) => {
    const from = offsets[i] - first;
    const end = offsets[i + 1] - from;
    for (let k = first; k < end; k++) starts[k] = features[from + k] * classes;
    if (given !== undefined) for (let k = first; k < end; k++) values[k] = given[from + k];
    return end;
  };
  return { count, targets, size: (rows + first) * classes, classes, starts, values, read };
}

function longestExample({ count, offsets }: Examples): number {
  let longest = 0;
  for (let i = 0; i < count; i++) longest = Math.max(longest, offsets[i + 1] - offsets[i]);
  return longest;
}

/** |x|² of every example, with equal rows added up first. `weights` is scratch space, 0 before and after. */
export function squaredNorms(reader: ExampleReader, weights: Float32Array): Float64Array {
  const norms = new Float64Array(reader.count);
  for (let i = 0; i < reader.count; i++) {
    const count = reader.read(i);
    const { starts, values } = reader;
    let norm = 0;
    for (let k = 0; k < count; k++) {
      norm += values[k] * (2 * weights[starts[k]] + values[k]);
      weights[starts[k]] += values[k];
    }
    for (let k = 0; k < count; k++) weights[starts[k]] = 0;
    norms[i] = norm;
  }
  return norms;
}
