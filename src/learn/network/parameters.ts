import { wholePower } from '../exponential.ts';
import type { Random } from '../random.ts';
import { AdamFields, DECAY, FLOAT, SECOND_DECAY } from './layout.ts';
import { type Floats, type NetworkMemory, padded } from './memory.ts';

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

/** A range of `count` weights, from index `first` on. */
export interface WeightRange {
  readonly first: number;
  readonly count: number;
}

/** One optimiser step. */
export interface AdamStep {
  /** Number of the step, from 1. */
  readonly number: number;
  /** Factor of the summed gradients: 1 / number of tokens in the batch. */
  readonly scale: number;
  readonly rate: number;
  /** Gradient clipping: larger norms are scaled down to this one (Pascanu, Mikolov & Bengio 2013). */
  readonly maxNorm: number;
}

/** The parameters of a network, matrices laid out one after another; in training, with gradients and Adam's moments. */
export class Parameters {
  readonly weights: Floats;
  readonly gradients: Floats | undefined;
  readonly moments: readonly [first: Floats, second: Floats] | undefined;
  private readonly count: number;
  private readonly matrices = new Map<string, Matrix>();
  private readonly optimizers = new Map<string, number>();

  constructor(
    private readonly memory: NetworkMemory,
    private readonly shapes: readonly Shape[],
    isTrained: boolean,
  ) {
    const count = weightCount(shapes);
    this.count = count;
    this.weights = memory.takeCommon(count);
    if (isTrained) {
      this.gradients = memory.take(count);
      this.moments = [memory.takeCommon(count), memory.takeCommon(count)];
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

  /** The weights and moments by name, saved to resume training. */
  state(): [name: string, values: Float32Array][] {
    const [first, second] = this.moments!;
    return [
      ['weights', this.weights.values],
      ['firstMoments', first.values],
      ['secondMoments', second.values],
    ];
  }

  /**
   * Copies the weights of a smaller network of the same kind: its matrices lack the last rows (or, if they
   * have only one row, columns) of this one's. New embeddings start as copies of row 0, the embedding of
   * unknown values.
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
      for (let i = 0; i < values.length; i++) values[i] = spread * (2 * random.uniform() - 1);
    }
  }

  /** Applies one step of Adam (Kingma & Ba 2015) and zeroes the gradients. */
  step(step: AdamStep): void {
    const { memory, count } = this;
    const { at } = this.gradients!;
    this.stepRange({ first: 0, count }, at, step, memory.kernels.sumOfSquares(at, count));
  }

  /**
   * Adds the second half of a doubled memory's gradients to the first half's, for a range that no other thread merges, and zeroes
   * the second half; returns the sum of the squares.
   */
  mergeGradients(range: WeightRange): number {
    const [first, second] = this.bothGradients;
    const start = range.first * FLOAT;
    return this.memory.kernels.mergeGradients(first + start, second + start, range.count);
  }

  /** Applies `step` to a range, after `mergeGradients`. @param squares the squared norm of all gradients */
  stepMerged(range: WeightRange, step: AdamStep, squares: number): void {
    this.stepRange(range, this.bothGradients[0], step, squares);
  }

  /** The weights in two ranges, one per thread. */
  get halves(): [WeightRange, WeightRange] {
    const count = padded(this.count / 2);
    return [
      { first: 0, count },
      { first: count, count: this.count - count },
    ];
  }

  private get bothGradients(): [first: number, second: number] {
    const { at } = this.gradients!;
    const other = this.memory.inOther(at);
    return at < other ? [at, other] : [other, at];
  }

  private stepRange(range: WeightRange, gradients: number, step: AdamStep, squares: number): void {
    const { number, scale, rate, maxNorm } = step;
    const norm = Math.sqrt(squares) * scale;
    const clipped = norm > maxNorm ? (scale * maxNorm) / norm : scale;
    const optimizer = this.optimizer(range, gradients);
    this.memory.kernels.adam(optimizer, clipped, ...unbiased(rate, number));
  }

  /** The address of the optimiser's state for a range. */
  private optimizer({ first, count }: WeightRange, gradients: number): number {
    const key = `${first} ${count}`;
    const known = this.optimizers.get(key);
    if (known !== undefined) return known;
    const [firstMoments, secondMoments] = this.moments!.map(({ at }) => at + first * FLOAT);
    const [weights, own] = [this.weights.at, gradients].map((at) => at + first * FLOAT);
    const moments = { firstMoments, secondMoments };
    const made = this.memory.struct(AdamFields, { weights, gradients: own, ...moments, count });
    this.optimizers.set(key, made);
    return made;
  }
}

/** The learning rate of Adam, and the divisor of its second moments, that correct the bias of the moments in a step, from 1. */
export const unbiased = (rate: number, step: number): [rate: number, correction: number] => [
  rate / (1 - wholePower(DECAY, step)),
  1 - wholePower(SECOND_DECAY, step),
];

export function weightCount(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
}
