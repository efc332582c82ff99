const LOG_BITS = 27;

/**
 * Remembers, up to rare confusions, which keys came up before, in 16 megabytes: most pairs of words stand
 * side by side only once, and tables that leave those out are a fraction of the size.
 */
export class SeenOnce {
  private readonly bits = new Uint32Array(2 ** (LOG_BITS - 5));

  /** Whether the key came up before; from now on it has. */
  meet(key: number): boolean {
    const bit = key >>> (32 - LOG_BITS);
    const mask = 1 << (bit & 31);
    const met = (this.bits[bit >>> 5] & mask) !== 0;
    this.bits[bit >>> 5] |= mask;
    return met;
  }
}
