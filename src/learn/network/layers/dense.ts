import { FLOAT, LANES } from '../layout.ts';
import { type Floats, type NetworkMemory, padded } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';

/** The parameters of a dense layer: weights (outputs × inputs) and a bias for each output. */
export function denseShapes(name: string, inputs: number, outputs: number): Shape[] {
  return [
    { name: `${name}.weights`, rows: outputs, columns: inputs, spread: Math.sqrt(3 / inputs) },
    { name: `${name}.bias`, rows: 1, columns: outputs },
  ];
}

/** A layer applied to each row; layers for inference have no backward pass. */
export interface RowLayer {
  forward(out: Floats, x: Floats, rows: number): void;
  backward?(gradients: Floats, x: Floats, xGradients: Floats, rows: number): void;
}

/** What scorers over the rows of a network are built from. */
export interface NetworkParts {
  readonly memory: NetworkMemory;
  readonly parameters: Parameters;
  /** Whether the network is trained; otherwise it only infers. */
  readonly isLearning: boolean;
  /** Creates the named layer over rows: trainable, or quantized for inference. */
  readonly rowLayer: (name: string) => RowLayer;
}

/** A dense layer: x wᵀ + b, row by row. */
export class Dense implements RowLayer {
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

  forward(out: Floats, x: Floats, rows: number): void {
    const { weights, bias } = this;
    const { kernels } = this.memory;
    kernels.product(out.at, x.at, weights.at, rows, weights.columns, weights.rows);
    kernels.addToRows(out.at, bias.at, rows, bias.columns);
  }

  /** Accumulates the gradients of weights and inputs, given the outputs' gradients. */
  backward(gradients: Floats, x: Floats, xGradients: Floats, rows: number): void {
    const { weights, bias } = this;
    const { kernels } = this.memory;
    kernels.productWeights(weights.gradients!.at, gradients.at, x.at, rows, weights.columns, weights.rows);
    kernels.sumOfRows(bias.gradients!.at, gradients.at, rows, bias.columns);
    kernels.productBack(xGradients.at, gradients.at, weights.at, rows, weights.columns, weights.rows);
  }
}

/** The parameters of a `SelectiveDense` layer, padded so that a range may begin anywhere. */
export function selectiveDenseShapes(name: string, inputs: number, outputs: number): Shape[] {
  return denseShapes(name, inputs, padded(outputs + LANES));
}

export type OutputRange = { readonly first: number; readonly count: number };

/** A trainable dense layer that computes only a range of its outputs, for one row at a time. */
export class SelectiveDense {
  /** The last outputs, and their gradients, which the caller fills before `backward`. */
  readonly scores: Floats;
  readonly gradients: Floats;
  private readonly weights: Matrix;
  private readonly bias: Matrix;

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    most: number,
  ) {
    this.weights = parameters.matrix(`${name}.weights`);
    this.bias = parameters.matrix(`${name}.bias`);
    this.scores = memory.take(padded(most));
    this.gradients = memory.take(padded(most));
  }

  forward(x: Floats, row: number, { first, count }: OutputRange): void {
    const { scores, weights, bias } = this;
    const { columns } = weights;
    const width = columns * FLOAT;
    const { kernels } = this.memory;
    kernels.product(scores.at, x.at + row * width, weights.at + first * width, 1, columns, padded(count));
    for (let c = 0; c < count; c++) scores.values[c] += bias.values[first + c];
  }

  backward(x: Floats, xGradients: Floats, row: number, { first, count }: OutputRange): void {
    const { weights, bias, gradients } = this;
    const { columns } = weights;
    const width = columns * FLOAT;
    const [rowAt, weightAt, outputs] = [row * width, first * width, padded(count)];
    gradients.values.fill(0, count, outputs);
    const { kernels } = this.memory;
    const weightGradients = weights.gradients!.at + weightAt;
    kernels.productWeights(weightGradients, gradients.at, x.at + rowAt, 1, columns, outputs);
    kernels.productBack(xGradients.at + rowAt, gradients.at, weights.at + weightAt, 1, columns, outputs);
    const biasGradients = bias.gradients!.values;
    for (let c = 0; c < count; c++) biasGradients[first + c] += gradients.values[c];
  }
}
