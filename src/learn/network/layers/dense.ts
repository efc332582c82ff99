import type { Floats, NetworkMemory } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';

/** The weights that a dense layer has: a row for each output, and what is added to each. */
export function denseShapes(name: string, inner: number, outputs: number): Shape[] {
  return [
    { name: `${name}.weights`, rows: outputs, columns: inner, spread: Math.sqrt(3 / inner) },
    { name: `${name}.bias`, rows: 1, columns: outputs },
  ];
}

/** A layer of a network whose outputs are sums of all its inputs, each times a weight (x wᵀ + b), row by row. */
export class Dense {
  readonly bias: Matrix;
  private readonly weights: Matrix;

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
  ) {
    this.weights = parameters.matrix(`${name}.weights`);
    this.bias = parameters.matrix(`${name}.bias`);
  }

  /** Fills `out` for the first `rows` rows of x. */
  forward(out: Floats, x: Floats, rows: number): void {
    const { weights, bias } = this;
    const { kernels } = this.memory;
    kernels.product(out.at, x.at, weights.at, rows, weights.columns, weights.rows);
    kernels.addToRows(out.at, bias.at, rows, bias.columns);
  }

  /** Adds to the slopes of the weights, and to those of the inputs, what the slopes of the outputs come to. */
  backward(slopes: Floats, x: Floats, xSlopes: Floats, rows: number): void {
    const { weights, bias } = this;
    const { kernels } = this.memory;
    kernels.productWeights(weights.slopes!.at, slopes.at, x.at, rows, weights.columns, weights.rows);
    kernels.sumOfRows(bias.slopes!.at, slopes.at, rows, bias.columns);
    kernels.productBack(xSlopes.at, slopes.at, weights.at, rows, weights.columns, weights.rows);
  }
}
