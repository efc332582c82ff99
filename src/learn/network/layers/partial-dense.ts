import { FLOAT, type Floats, LANES, type NetworkMemory, padded } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';
import { denseShapes } from './dense.ts';

/** The weights that a layer of so many outputs has; wherever a part of them begins, four at a time can be taken. */
export function partialDenseShapes(name: string, inner: number, outputs: number): Shape[] {
  return denseShapes(name, inner, padded(outputs + LANES));
}

/** Outputs of a layer that follow each other: those asked for. */
export interface Part {
  /** The number of the first. */
  readonly first: number;
  readonly count: number;
}

/** A dense layer that learns, and is asked for some of its outputs at a time, of one row. */
export class PartialDense {
  /** The outputs last asked for; and what `backward` begins with: the slopes of theirs. */
  readonly scores: Floats;
  readonly slopes: Floats;
  private readonly weights: Matrix;
  private readonly bias: Matrix;

  /** How many numbers it works with, besides its weights. */
  static room(most: number): number {
    return 2 * padded(most);
  }

  /** @param most how many outputs are asked for at a time, at most */
  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    most: number,
  ) {
    this.weights = parameters.matrix(`${name}.weights`);
    this.bias = parameters.matrix(`${name}.bias`);
    this.scores = memory.take(padded(most));
    this.slopes = memory.take(padded(most));
  }

  /** Fills `scores` for a row of x. */
  forward(x: Floats, row: number, { first, count }: Part): void {
    const { scores, weights, bias } = this;
    const { columns } = weights;
    const width = columns * FLOAT;
    const { kernels } = this.memory;
    kernels.product(scores.at, x.at + row * width, weights.at + first * width, 1, columns, padded(count));
    for (let c = 0; c < count; c++) scores.values[c] += bias.values[first + c];
  }

  /** Adds to the slopes of the weights, and to those of the row, what the slopes of the part come to. */
  backward(x: Floats, xSlopes: Floats, row: number, { first, count }: Part): void {
    const { weights, bias } = this;
    const { slopes } = this;
    const { columns } = weights;
    const width = columns * FLOAT;
    const [rowAt, weightAt, outputs] = [row * width, first * width, padded(count)];
    slopes.values.fill(0, count, outputs);
    const { kernels } = this.memory;
    const weightSlopes = weights.slopes!.at + weightAt;
    kernels.productWeights(weightSlopes, slopes.at, x.at + rowAt, 1, columns, outputs);
    kernels.productBack(xSlopes.at + rowAt, slopes.at, weights.at + weightAt, 1, columns, outputs);
    const biasSlopes = bias.slopes!.values;
    for (let c = 0; c < count; c++) biasSlopes[first + c] += slopes.values[c];
  }
}
