import type { Examples } from './examples.ts';

/** Gives a solver one example at a time as sparse rows of the weights. */
export interface ExampleReader {
  readonly count: number;
  readonly targets: Int32Array;
  /** How many weights there are. */
  readonly size: number;
  /** Weights in a row: classes, or what else there is a problem for. */
  readonly classes: number;
  /** Where that is not the class of the same number: whose examples are positive in each problem. */
  readonly positives?: Int32Array | undefined;
  /**
   * Classes (problems) that each example may have, where not all: one bit for each class, in as many 32-bit words an
   * example as that takes. The other classes' problems do without the example.
   */
  readonly allowed?: Int32Array | undefined;
  /** The example read last: where its rows start in the weights, and its values. */
  readonly starts: Int32Array;
  readonly values: Float32Array;
  /** Reads example i; gives how many rows it has. A row may occur more than once: its values add up. */
  read(i: number): number;
}

/** Reads examples as they are; a bias comes first, as the last row of the weights. */
export class PlainReader implements ExampleReader {
  readonly count: number;
  readonly targets: Int32Array;
  readonly size: number;
  readonly starts: Int32Array;
  readonly values: Float32Array;
  private readonly first: number;

  constructor(
    private readonly examples: Examples,
    rows: number,
    readonly classes: number,
    bias: number | undefined,
  ) {
    this.count = examples.count;
    this.targets = examples.targets;
    this.first = bias === undefined ? 0 : 1;
    this.size = (rows + this.first) * classes;
    const longest = this.first + longestExample(examples);
    this.starts = new Int32Array(longest);
    this.values = new Float32Array(longest).fill(1);
    if (bias === undefined) return;
    this.starts[0] = rows * classes;
    this.values[0] = bias;
  }

  read(i: number): number {
    const { classes, first, starts, values } = this;
    const { offsets, features, values: given } = this.examples;
    const from = offsets[i] - first;
    const count = offsets[i + 1] - from;
    for (let k = first; k < count; k++) starts[k] = features[from + k] * classes;
    if (given !== undefined) for (let k = first; k < count; k++) values[k] = given[from + k];
    return count;
  }
}

function longestExample({ count, offsets }: Examples): number {
  let longest = 0;
  for (let i = 0; i < count; i++) longest = Math.max(longest, offsets[i + 1] - offsets[i]);
  return longest;
}

/**
 * |x|² of every example, exactly: rows that occur twice in an example (features with one hash) are one row
 * with the sum of their values. `weights` are those to be learnt, all 0 before and after: the sums are formed
 * in them.
 */
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
