/** Keeps the first steps finite. */
const SMALLEST = 1e-6;

/**
 * Weights that learn by gradients, each with steps of its own size: the more it has changed, the smaller (AdaGrad,
 * Duchi, Hazan & Singer 2011).
 */
export class AdaptiveWeights {
  readonly values: Float32Array;
  /** The sums of the squares of the gradients. */
  readonly squares: Float32Array;

  constructor(
    size: number,
    private readonly rate: number,
  ) {
    this.values = new Float32Array(size);
    this.squares = new Float32Array(size);
  }

  descend(index: number, gradient: number): void {
    const square = this.squares[index] + gradient * gradient;
    this.squares[index] = square;
    this.values[index] -= (this.rate * gradient) / Math.sqrt(square + SMALLEST);
  }
}
