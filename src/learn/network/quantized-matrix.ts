import { GATES, LANES, QUANTIZED_ONE, QuantizedLstmFields } from './layout.ts';
import type { Floats, NetworkMemory } from './memory.ts';
import type { Matrix } from './parameters.ts';

/** Bounds of a quantized weight and of the sum of a row's absolute weights: products of 16 bits are accumulated in 32. */
const LARGEST = 32_767;
const LARGEST_SUM = 0x8000_0000 / QUANTIZED_ONE;

/** Blocks of rows; a block holds two columns of its first row, two of the next, and so on, then the next two columns. */
type Layout = { readonly rowsPerBlock: number; readonly placeOf: (row: number) => number };

/** A trained matrix quantized to 16 bits for the kernels; each row has the finest scale for which no sum overflows. */
export class QuantizedMatrix {
  readonly at: number;
  /** For each row, the factor that turns a sum of quantized products into a float. */
  readonly scales: Floats;
  private readonly numbers: Floats;

  /** Keeps the order of rows, in blocks of four: a product may begin at any block. */
  static ofRows(memory: NetworkMemory, matrix: Matrix): QuantizedMatrix {
    return new QuantizedMatrix(memory, matrix, { rowsPerBlock: LANES, placeOf: (row) => row });
  }

  /** Reorders the rows of an LSTM's gates into blocks of the four gates of four units. */
  static ofGates(memory: NetworkMemory, matrix: Matrix): QuantizedMatrix {
    const units = matrix.rows / GATES;
    const placeOf = (row: number) => {
      const unit = row % units;
      return GATES * (unit - (unit % LANES)) + LANES * Math.floor(row / units) + (unit % LANES);
    };
    return new QuantizedMatrix(memory, matrix, { rowsPerBlock: GATES * LANES, placeOf });
  }

  private constructor(
    memory: NetworkMemory,
    private readonly matrix: Matrix,
    private readonly layout: Layout,
  ) {
    this.numbers = memory.take((matrix.rows * matrix.columns) / 2);
    this.at = this.numbers.at;
    this.scales = memory.take(matrix.rows);
  }

  /** Quantizes the current weights of the matrix. */
  fill(): this {
    const { values, rows, columns } = this.matrix;
    const { rowsPerBlock, placeOf } = this.layout;
    const numbers = new Int16Array(this.numbers.values.buffer, this.at, rows * columns);
    for (let row = 0; row < rows; row++) {
      const weights = values.subarray(row * columns, (row + 1) * columns);
      const factor = factorOf(weights);
      const place = placeOf(row);
      this.scales.values[place] = 1 / (factor * QUANTIZED_ONE);
      const within = place % rowsPerBlock;
      const start = (place - within) * columns + 2 * within;
      for (let c = 0; c < columns; c++)
        numbers[start + (c - (c % 2)) * rowsPerBlock + (c % 2)] = Math.round(factor * weights[c]);
    }
    return this;
  }
}

function factorOf(weights: Float32Array): number {
  let largest = 0;
  let sum = 0;
  for (const weight of weights) {
    largest = Math.max(largest, Math.abs(weight));
    sum += Math.abs(weight);
  }
  // Rounding changes each weight by at most a half.
  return largest === 0 ? 1 : Math.min(LARGEST / largest, (LARGEST_SUM - weights.length) / sum);
}

/** Stores the fields of a quantized LSTM in the direction that ends its name; returns their address. */
export function quantizedLstm(
  memory: NetworkMemory,
  { at, scales }: QuantizedMatrix,
  name: string,
  places: Readonly<Record<'out' | 'stride' | 'inputs' | 'offset' | 'scratch' | 'size', number>>,
): number {
  const isBackward = name.endsWith('backward') ? 1 : 0;
  return memory.struct(QuantizedLstmFields, { ...places, weights: at, scales: scales.at, isBackward });
}
