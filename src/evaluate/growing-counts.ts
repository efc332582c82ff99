import { lengthened } from '../typed-arrays.ts';

/** A typed array of integers that can grow. */
export class GrowingCounts {
  length = 0;
  private buffer = new Int32Array(64);

  push(value: number): void {
    this.lengthen(this.length + 1);
    this.buffer[this.length - 1] = value;
  }

  lengthen(length: number): void {
    if (length <= this.length) return;
    if (length > this.buffer.length)
      this.buffer = lengthened(this.buffer, Math.max(length, 2 * this.buffer.length));
    this.length = length;
  }

  get values(): Int32Array {
    return this.buffer.subarray(0, this.length);
  }
}
