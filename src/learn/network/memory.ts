import { UsageError } from '../../errors.ts';
import { type Kernels, makeKernels } from './kernels.ts';

/** Numbers in the memory of a network, as kernels address them (in bytes), and as this program sees them. */
export interface Floats {
  readonly at: number;
  readonly values: Float32Array;
}

/** Bytes of a number. */
export const FLOAT = 4;

/** Kernels take four numbers at a time. */
export const LANES = 4;

/** Just below 4 GB of them. */
const MOST_NUMBERS = 2 ** 30 - 2 ** 16;

/** The smallest multiple of four that is not below n: what rows are as long as. */
export function padded(n: number): number {
  return Math.ceil(n / LANES) * LANES;
}

/**
 * The memory of a network, of a size that is settled at its beginning: what is never touched of it takes no room in the
 * machine's. It is handed out from one end to the other, and never taken back.
 */
export class NetworkMemory {
  readonly kernels: Kernels;
  private readonly buffer: ArrayBuffer;
  private free = LANES * FLOAT;

  /**
   * @param count of numbers, all zero
   * @throws UsageError where they are more than WebAssembly has addresses for
   */
  constructor(count: number) {
    if (count > MOST_NUMBERS) {
      throw new UsageError(
        `a network of ${count} numbers at work, at most ${MOST_NUMBERS} can be: expected a smaller network, or shorter sentences`,
      );
    }
    ({ kernels: this.kernels, buffer: this.buffer } = makeKernels(this.free + count * FLOAT));
  }

  /** The next `count` numbers: a multiple of four. */
  take(count: number): Floats {
    const at = this.free;
    this.free += count * FLOAT;
    return { at, values: new Float32Array(this.buffer, at, count) };
  }
}
