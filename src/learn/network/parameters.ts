import { wholePower } from '../exponential.ts';
import type { Random } from '../random.ts';
import { AdamFields, FLOAT } from './layout.ts';
import type { Floats, NetworkMemory } from './memory.ts';

export interface Shape {
  readonly name: string;
  readonly rows: number;
  /** A multiple of four. */
  readonly columns: number;
  /** Initialized at random between −spread and spread; absent: zeros. */
  readonly spread?: number | undefined;
}

export interface Matrix extends Floats {
  readonly rows: number;
  readonly columns: number;
  readonly gradients: Floats | undefined;
}

/** Decay of the first and second moments of Adam: the second is lower than usual, as in Dozat & Manning (2017, table 1). */
export const DECAY = 0.9;
export const SECOND_DECAY = 0.95;

/** The weights of a network, one matrix after the other; in training, with their gradients and the moments of Adam. */
export class Parameters {
  readonly weights: Floats;
  readonly gradients: Floats | undefined;
  readonly moments: readonly [first: Floats, second: Floats] | undefined;
  private readonly count: number;
  private readonly matrices = new Map<string, Matrix>();
  private readonly adam: number | undefined;

  constructor(
    private readonly memory: NetworkMemory,
    private readonly shapes: readonly Shape[],
    isTrained: boolean,
  ) {
    const count = weightCount(shapes);
    this.count = count;
    this.weights = memory.take(count);
    if (isTrained) {
      this.gradients = memory.take(count);
      this.moments = [memory.take(count), memory.take(count)];
      this.adam = memory.struct(AdamFields, {
        weights: this.weights.at,
        gradients: this.gradients.at,
        firstMoments: this.moments[0].at,
        secondMoments: this.moments[1].at,
        count,
      });
    }
    let start = 0;
    for (const { name, rows, columns } of shapes) {
      const slice = (of: Floats) => memory.view(of.at + start * FLOAT, rows * columns);
      const gradients = this.gradients && slice(this.gradients);
      this.matrices.set(name, Object.assign(slice(this.weights), { rows, columns, gradients }));
      start += rows * columns;
    }
  }

  matrix(name: string): Matrix {
    return this.matrices.get(name)!;
  }

  /** The weights and moments, by name: what a training is resumed from. */
  state(): [name: string, values: Float32Array][] {
    const [first, second] = this.moments!;
    return [
      ['weights', this.weights.values],
      ['firstMoments', first.values],
      ['secondMoments', second.values],
    ];
  }

  /**
   * Copies the matrices of a smaller network of the same kind, to which rows, or columns of a single row, were added at
   * the end. New rows of embeddings begin as the first, of unknown values.
   */
  copyFrom(weights: Float32Array, shapes: readonly Shape[]): void {
    let start = 0;
    for (const { name, rows, columns } of shapes) {
      const { values } = this.matrix(name);
      const end = start + rows * columns;
      values.set(weights.subarray(start, end));
      if (name.startsWith('embeddings.')) {
        const unknown = weights.subarray(start, start + columns);
        for (let at = rows * columns; at < values.length; at += columns) values.set(unknown, at);
      }
      start = end;
    }
  }

  draw(random: Random): void {
    for (const { name, spread = 0 } of this.shapes) {
      const { values } = this.matrix(name);
      for (let i = 0; i < values.length; i++) values[i] = spread * (2 * random.share() - 1);
    }
  }

  /**
   * Changes the weights by a step of Adam (Kingma & Ba 2015), and sets the gradients to zero.
   *
   * @param step number of the step, from 1 on
   * @param scale factor of the gradients: one over the number of tokens that they are sums over
   * @param maxNorm gradients with a larger norm are scaled down to it (Pascanu, Mikolov & Bengio 2013)
   */
  step(step: number, scale: number, rate: number, maxNorm: number): void {
    const { kernels } = this.memory;
    const norm = Math.sqrt(kernels.sumOfSquares(this.gradients!.at, this.count)) * scale;
    const clipped = norm > maxNorm ? (scale * maxNorm) / norm : scale;
    const corrected = rate / (1 - wholePower(DECAY, step));
    const correction = 1 - wholePower(SECOND_DECAY, step);
    kernels.adam(this.adam!, clipped, corrected, correction, DECAY, SECOND_DECAY);
  }
}

export function weightCount(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
}
