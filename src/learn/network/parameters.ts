import type { Random } from '../random.ts';
import { FLOAT, type Floats, type NetworkMemory } from './memory.ts';

/** A matrix of weights: what it is called, how many rows of how many numbers, and how far from zero they begin. */
export interface Shape {
  readonly name: string;
  readonly rows: number;
  /** A multiple of four. */
  readonly columns: number;
  /** At random between −spread and spread; absent: zeros. */
  readonly spread?: number | undefined;
}

/** A matrix of weights, and the address of its slopes where it is learnt. */
export interface Matrix extends Floats {
  readonly rows: number;
  readonly columns: number;
  readonly slopes: Floats | undefined;
}

/**
 * The weights of a network, one matrix after the other; where they are learnt, with their slopes and the moments of Adam
 * (Kingma & Ba 2015), all in the same order.
 */
export class Parameters {
  readonly count: number;
  readonly weights: Floats;
  readonly slopes: Floats | undefined;
  readonly moments: readonly [first: Floats, second: Floats] | undefined;
  private readonly matrices = new Map<string, Matrix>();

  /** How many numbers parameters of these shapes take. */
  static room(shapes: readonly Shape[], isLearnt: boolean): number {
    return sizeOf(shapes) * (isLearnt ? 4 : 1);
  }

  constructor(
    private readonly memory: NetworkMemory,
    private readonly shapes: readonly Shape[],
    isLearnt: boolean,
  ) {
    this.count = sizeOf(shapes);
    this.weights = memory.take(this.count);
    this.slopes = isLearnt ? memory.take(this.count) : undefined;
    this.moments = isLearnt ? [memory.take(this.count), memory.take(this.count)] : undefined;
    let start = 0;
    for (const { name, rows, columns } of shapes) {
      const part = (of: Floats): Floats => ({
        at: of.at + start * FLOAT,
        values: of.values.subarray(start, start + rows * columns),
      });
      const slopes = this.slopes && part(this.slopes);
      this.matrices.set(name, { ...part(this.weights), rows, columns, slopes });
      start += rows * columns;
    }
  }

  /** The matrix of a name, which there must be. */
  matrix(name: string): Matrix {
    return this.matrices.get(name)!;
  }

  /** By name all that steps of learning change and go by, but for the slopes: what a training is resumed from. */
  state(): [name: string, values: Float32Array][] {
    const [first, second] = this.moments!;
    return [
      ['weights', this.weights.values],
      ['firstMoments', first.values],
      ['secondMoments', second.values],
    ];
  }

  /** Where training begins. */
  draw(random: Random): void {
    for (const { name, spread = 0 } of this.shapes) {
      const { values } = this.matrix(name);
      for (let i = 0; i < values.length; i++) values[i] = spread * (2 * random.share() - 1);
    }
  }

  /**
   * Changes the weights by their slopes, which are then zero: step number `step`, from 1 on, of Adam. Slopes that are
   * together longer than `most` are shortened to it (Pascanu, Mikolov & Bengio 2013).
   *
   * @param scale what slopes are multiplied by first: one over the tokens that they are sums over
   * @param rate how far a step goes
   */
  step(step: number, scale: number, rate: number, most: number): void {
    const { kernels } = this.memory;
    const { weights, slopes, moments, count } = this;
    const norm = Math.sqrt(kernels.sumOfSquares(slopes!.at, count)) * scale;
    const shortened = norm > most ? (scale * most) / norm : scale;
    const [first, second] = moments!;
    kernels.adam(
      weights.at,
      slopes!.at,
      first.at,
      second.at,
      count,
      shortened,
      rate / (1 - DECAY ** step),
      1 - SECOND_DECAY ** step,
      DECAY,
      SECOND_DECAY,
    );
  }
}

/** How slowly the moments of slopes, and of their squares, forget: those of Dozat & Manning (2017, table 1), who forget fast. */
const DECAY = 0.9;
const SECOND_DECAY = 0.95;

function sizeOf(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
}
