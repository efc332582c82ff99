/** A seeded random number generator (sfc32, PractRand), the only one in training: the same draws on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** Creates a generator; further seeds (an epoch, a member's number) give independent sequences. */
  constructor(seed: number, second = 0, third = 0) {
    this.a = seed | 0;
    this.b = second | 0;
    this.c = third | 0;
    for (let i = 0; i < 15; i++) this.next();
  }

  next(): number {
    const result = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + result) | 0;
    return result;
  }

  /** Draws a number in [0, 1). */
  uniform(): number {
    return (this.next() >>> 0) / 0x1_0000_0000;
  }

  /** Draws an integer from 0 to bound − 1. */
  below(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }

  /** Shuffles items in place (Fisher–Yates). */
  shuffle(items: Int32Array): Int32Array {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const item = items[i];
      items[i] = items[j];
      items[j] = item;
    }
    return items;
  }
}
