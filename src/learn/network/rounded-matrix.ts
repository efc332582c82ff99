import { type Floats, LANES, type NetworkMemory } from './memory.ts';
import type { Matrix } from './parameters.ts';

/** Numbers between −1 and 1 that are multiplied with rounded weights are whole numbers, each times 1 / `ONE`. */
export const ONE = 2 ** 14;

/** The largest weight in 16 bits; and what the sizes of a row's may come to, for sums of 32 bits. */
const LARGEST = 2 ** 15 - 1;
const LARGEST_SUM = 2 ** 31 / ONE;

/** How rows stand in memory: so many together, of each pair of columns the two numbers of the first, then of the next. */
interface Layout {
  readonly together: number;
  /** Where a row stands among all. */
  readonly placeOf: (row: number) => number;
}

/**
 * A matrix of weights that have been learnt, as kernels read it that work with whole numbers of 16 bits. Each row has a
 * scale of its own, the finest with which no product overflows.
 */
export class RoundedMatrix {
  readonly at: number;
  /** What the products of whole numbers are multiplied by, one for each row. */
  readonly scales: Floats;

  /** Rows by four, in their order: what is asked for can begin at any fourth. */
  static ofRows(memory: NetworkMemory, matrix: Matrix): RoundedMatrix {
    return new RoundedMatrix(memory, matrix, { together: LANES, placeOf: (row) => row });
  }

  /** Rows of the four gates of all units: those of four units together. */
  static ofGates(memory: NetworkMemory, matrix: Matrix): RoundedMatrix {
    const units = matrix.rows / 4;
    const placeOf = (row: number) => {
      const unit = row % units;
      return 4 * (unit - (unit % LANES)) + LANES * Math.floor(row / units) + (unit % LANES);
    };
    return new RoundedMatrix(memory, matrix, { together: 4 * LANES, placeOf });
  }

  private constructor(
    memory: NetworkMemory,
    { values, rows, columns }: Matrix,
    { together, placeOf }: Layout,
  ) {
    const floats = memory.take((rows * columns) / 2);
    this.at = floats.at;
    this.scales = memory.take(rows);
    const numbers = new Int16Array(floats.values.buffer, floats.at, rows * columns);
    for (let row = 0; row < rows; row++) {
      const weights = values.subarray(row * columns, (row + 1) * columns);
      const factor = factorOf(weights);
      const place = placeOf(row);
      this.scales.values[place] = 1 / (factor * ONE);
      const within = place % together;
      const start = (place - within) * columns + 2 * within;
      for (let c = 0; c < columns; c++) {
        numbers[start + (c - (c % 2)) * together + (c % 2)] = Math.round(factor * weights[c]);
      }
    }
  }

  /** How many bytes so many rows take. */
  static bytesOf(rows: number, columns: number): number {
    return 2 * rows * columns;
  }
}

/** What a row of weights is multiplied by. */
function factorOf(weights: Float32Array): number {
  let largest = 0;
  let sum = 0;
  for (const weight of weights) {
    largest = Math.max(largest, Math.abs(weight));
    sum += Math.abs(weight);
  }
  // Rounding makes the sum larger by half of one a weight, at most.
  return largest === 0 ? 1 : Math.min(LARGEST / largest, (LARGEST_SUM - weights.length) / sum);
}
