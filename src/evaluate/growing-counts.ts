import { lengthened } from '../typed-arrays.ts';

/** A typed array of integers that can grow. */
export class GrowingCounts {
  length = 0;
  private room = new Int32Array(64);

  push(value: number): void {
    this.lengthen(this.length + 1);
    this.room[this.length - 1] = value;
  }

  lengthen(length: number): void {
    if (length <= this.length) return;
    if (length > this.room.length) this.room = lengthened(this.room, Math.max(length, 2 * this.room.length));
    this.length = length;
  }

  get values(): Int32Array {
    return this.room.subarray(0, this.length);
  }
}
