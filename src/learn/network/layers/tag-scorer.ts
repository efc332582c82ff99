import { FIRST_ID } from '../../../encoding/vocabulary.ts';
import { exponential } from '../../exponential.ts';
import { type Floats, padded } from '../memory.ts';
import type { Shape } from '../parameters.ts';
import { denseShapes, type NetworkParts, type RowLayer } from './dense.ts';

/** Tags tokens as an auxiliary task: a dense layer over encoded tokens scores the values of a column. */
export class TagScorer {
  /** (n + 1) × values; rows are `rowLength` apart. */
  readonly scores: Floats;
  readonly scoreGradients: Floats | undefined;
  readonly rowLength: number;
  private readonly layer: RowLayer;

  static shapes(name: string, inputs: number, values: number): Shape[] {
    return denseShapes(name, inputs, padded(values));
  }

  /** @param values number of strings in the column's vocabulary */
  constructor(
    { memory, isLearning, rowLayer }: NetworkParts,
    name: string,
    rows: number,
    readonly values: number,
  ) {
    this.layer = rowLayer(name);
    this.rowLength = padded(values);
    this.scores = memory.take(rows * this.rowLength);
    if (isLearning) this.scoreGradients = memory.take(rows * this.rowLength);
  }

  forward(x: Floats, rows: number): void {
    this.layer.forward(this.scores, x, rows);
  }

  backward(x: Floats, xGradients: Floats, rows: number): void {
    this.layer.backward!(this.scoreGradients!, x, xGradients, rows);
  }

  /** Returns the vocabulary id of the best value; the first of ties. */
  best(token: number): number {
    const { values: scores } = this.scores;
    const start = token * this.rowLength;
    let highest = 0;
    for (let v = 1; v < this.values; v++) if (scores[start + v] > scores[start + highest]) highest = v;
    return FIRST_ID + highest;
  }

  /** Returns the softmax probability of a value. */
  probability(token: number, value: number): number {
    const { values: scores } = this.scores;
    const start = token * this.rowLength;
    const own = scores[start + value - FIRST_ID];
    let sum = 0;
    for (let v = 0; v < this.values; v++) sum += exponential(scores[start + v] - own);
    return 1 / sum;
  }

  /** Returns the vocabulary id of the second best value; undefined if there is only one. */
  second(token: number): number | undefined {
    const { values: scores } = this.scores;
    const start = token * this.rowLength;
    const best = this.best(token) - FIRST_ID;
    let second = -1;
    for (let v = 0; v < this.values; v++)
      if (v !== best && (second === -1 || scores[start + v] > scores[start + second])) second = v;
    return second === -1 ? undefined : FIRST_ID + second;
  }
}
