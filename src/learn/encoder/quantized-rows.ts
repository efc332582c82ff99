import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import type { Hash } from '../../platform/platform.ts';

const LARGEST = 127;
/** Bound on scales, which no training exceeds; larger ones might overflow in products. */
const MOST_SCALE = 1e6;

/** A matrix of 8-bit numbers with a scale for each row. */
export class QuantizedRows {
  private constructor(
    private readonly numbers: Int8Array,
    private readonly scales: Float32Array,
    private readonly columns: number,
  ) {}

  static of(values: Float32Array, columns: number): QuantizedRows {
    const numbers = new Int8Array(values.length);
    const scales = new Float32Array(values.length / columns);
    for (let row = 0; row < scales.length; row++) {
      const start = row * columns;
      let largest = 0;
      for (let i = start; i < start + columns; i++) largest = Math.max(largest, Math.abs(values[i]));
      scales[row] = largest / LARGEST;
      for (let i = start; i < start + columns; i++)
        numbers[i] = largest === 0 ? 0 : Math.round((values[i] / largest) * LARGEST);
    }
    return new QuantizedRows(numbers, scales, columns);
  }

  static load(file: ModelReader, name: string, rows: number, columns: number): QuantizedRows {
    const numbers = file.section(name, 'int8', { length: rows * columns });
    const scales = file.section(`${name}.scales`, 'float32', { length: rows, least: 0, most: MOST_SCALE });
    return new QuantizedRows(numbers, scales, columns);
  }

  get place(): number {
    return this.numbers.byteOffset;
  }

  save(file: ModelWriter, name: string): void {
    file.section(name, this.numbers);
    file.section(`${name}.scales`, this.scales);
  }

  addTo(hash: Hash): void {
    hash.update(this.numbers).update(this.scales);
  }

  /** All rows, one after the other. */
  floats(): Float32Array {
    const all = new Float32Array(this.numbers.length);
    this.copyTo(all, 0, 0, this.scales.length);
    return all;
  }

  /** Writes `count` rows from `row` on, one after the other. */
  copyTo(to: Float32Array, start: number, row = 0, count = 1): void {
    const { numbers, scales, columns } = this;
    for (let r = row; r < row + count; r++) {
      for (let i = 0; i < columns; i++)
        to[start + (r - row) * columns + i] = numbers[r * columns + i] * scales[r];
    }
  }
}
