import { type Floats, type NetworkMemory, padded } from '../memory.ts';
import type { Shape } from '../parameters.ts';
import { Dense, denseShapes, type NetworkParts, type RowLayer } from './dense.ts';
import { DistanceScores } from './distances.ts';

/** Dimensions of the representations of a row as an end of a pair: to score the pair, and to label it. */
const PAIR_SIZE = 100;
const CLASS_SIZE = 80;

/**
 * A biaffine scorer of pairs of rows (Dozat & Manning 2017, §2.2): each row has one representation as the
 * first of a pair and another as the second. The score of a pair is the bilinear form of the two, plus a bias of the
 * first, plus scores of the distance between them (`DistanceScores`).
 */
export class PairScorer {
  /** rows × rows, row = second, column = first; rows are `rowLength` apart. */
  readonly scores: Floats;
  readonly scoreGradients: Floats | undefined;
  private readonly memory: NetworkMemory;
  private readonly asFirst: RowLayer;
  private readonly asSecond: RowLayer;
  private readonly pairs: Dense;
  private readonly distances: DistanceScores | undefined;
  private readonly firsts: Floats;
  private readonly seconds: Floats;
  /** The seconds times the matrix of the bilinear form. */
  private readonly queries: Floats;
  private readonly gradients: { firsts: Floats; seconds: Floats; queries: Floats } | undefined;

  static shapes(name: string, inputs: number, hasDistances: boolean): Shape[] {
    return [
      ...denseShapes(`${name}.first`, inputs, PAIR_SIZE),
      ...denseShapes(`${name}.second`, inputs, PAIR_SIZE),
      ...denseShapes(`${name}.pairs`, PAIR_SIZE, PAIR_SIZE),
      ...(hasDistances ? DistanceScores.shapes(name, PAIR_SIZE) : []),
    ];
  }

  /**
   * @param most maximum number of rows
   * @param distances the distances to score: between tokens, row 0 being the root; between fenceposts; or none
   */
  constructor(
    { memory, parameters, isLearning, rowLayer }: NetworkParts,
    name: string,
    most: number,
    distances: 'root' | 'fenceposts' | 'none',
  ) {
    this.memory = memory;
    this.asFirst = rowLayer(`${name}.first`);
    this.asSecond = rowLayer(`${name}.second`);
    this.pairs = new Dense(memory, parameters, `${name}.pairs`);
    const rows = () => memory.take(PAIR_SIZE * padded(most));
    const matrix = () => memory.take(padded(most) * padded(most));
    [this.firsts, this.seconds, this.queries, this.scores] = [rows(), rows(), rows(), matrix()];
    if (distances !== 'none')
      this.distances = new DistanceScores(memory, parameters, name, padded(most), distances === 'root');
    if (!isLearning) return;
    this.gradients = { firsts: rows(), seconds: rows(), queries: rows() };
    this.scoreGradients = matrix();
  }

  static rowLength(rows: number): number {
    return padded(rows);
  }

  /** Fills the scores; columns beyond the last row are meaningless. */
  forward(x: Floats, rows: number): void {
    const { firsts, seconds, queries, scores } = this;
    const { kernels } = this.memory;
    this.asFirst.forward(firsts, x, rows);
    kernels.leakyRelu(firsts.at, rows * PAIR_SIZE);
    this.asSecond.forward(seconds, x, rows);
    kernels.leakyRelu(seconds.at, rows * PAIR_SIZE);
    this.pairs.forward(queries, seconds, rows);
    kernels.product(scores.at, queries.at, firsts.at, rows, PAIR_SIZE, padded(rows));
    this.distances?.forward(scores, padded(rows), [firsts, seconds], rows);
  }

  backward(x: Floats, xGradients: Floats, rows: number): void {
    const { firsts, seconds, queries } = this;
    const { kernels } = this.memory;
    const [gradients, ofScores] = [this.gradients!, this.scoreGradients!.at];
    for (const { values } of Object.values(gradients)) values.fill(0, 0, padded(rows) * PAIR_SIZE);
    kernels.productBack(gradients.queries.at, ofScores, firsts.at, rows, PAIR_SIZE, padded(rows));
    kernels.productWeights(gradients.firsts.at, ofScores, queries.at, rows, PAIR_SIZE, padded(rows));
    this.pairs.backward(gradients.queries, seconds, gradients.seconds, rows);
    const both = [gradients.firsts, gradients.seconds] as const;
    this.distances?.backward(this.scoreGradients!, padded(rows), [firsts, seconds], both, rows);
    kernels.leakyReluBack(gradients.firsts.at, firsts.at, rows * PAIR_SIZE);
    kernels.leakyReluBack(gradients.seconds.at, seconds.at, rows * PAIR_SIZE);
    this.asFirst.backward!(gradients.firsts, x, xGradients, rows);
    this.asSecond.backward!(gradients.seconds, x, xGradients, rows);
  }
}

/** Pairs of rows: entries `from`…`to` − 1 of two arrays. */
export interface RowPairs {
  readonly firsts: Int32Array;
  readonly seconds: Int32Array;
  readonly from: number;
  readonly to: number;
}

/** Classifies pairs of rows: a dense layer over the sum of their representations. */
export class PairClassifier {
  /** pairs × classes; rows are `rowLength` apart. */
  readonly scores: Floats;
  readonly rowLength: number;
  readonly scoreGradients: Floats | undefined;
  private readonly memory: NetworkMemory;
  private readonly asFirst: RowLayer;
  private readonly asSecond: RowLayer;
  private readonly classes: Dense;
  private readonly firsts: Floats;
  private readonly seconds: Floats;
  private readonly sums: Floats;
  private readonly gradients: { firsts: Floats; seconds: Floats; sums: Floats } | undefined;

  static shapes(name: string, inputs: number, classes: number): Shape[] {
    return [
      ...denseShapes(`${name}.first`, inputs, CLASS_SIZE),
      ...denseShapes(`${name}.second`, inputs, CLASS_SIZE),
      ...denseShapes(`${name}.scores`, CLASS_SIZE, padded(classes)),
    ];
  }

  constructor(
    { memory, parameters, isLearning, rowLayer }: NetworkParts,
    name: string,
    most: { readonly rows: number; readonly pairs: number; readonly classes: number },
  ) {
    this.memory = memory;
    this.rowLength = padded(most.classes);
    this.asFirst = rowLayer(`${name}.first`);
    this.asSecond = rowLayer(`${name}.second`);
    this.classes = new Dense(memory, parameters, `${name}.scores`);
    const rows = () => memory.take(CLASS_SIZE * most.rows);
    const ofPairs = () => memory.take(CLASS_SIZE * most.pairs);
    [this.firsts, this.seconds, this.sums] = [rows(), rows(), ofPairs()];
    this.scores = memory.take(most.pairs * this.rowLength);
    if (!isLearning) return;
    this.gradients = { firsts: rows(), seconds: rows(), sums: ofPairs() };
    this.scoreGradients = memory.take(most.pairs * this.rowLength);
  }

  forward(x: Floats, rows: number, pairs: RowPairs): void {
    this.asFirst.forward(this.firsts, x, rows);
    this.asSecond.forward(this.seconds, x, rows);
    this.classify(pairs);
  }

  /** Scores further pairs of the rows of the last `forward`. */
  classify({ firsts, seconds, from, to }: RowPairs): void {
    const [ofFirsts, ofSeconds, sums] = [this.firsts.values, this.seconds.values, this.sums.values];
    sums.fill(0, 0, from * CLASS_SIZE);
    for (let p = from; p < to; p++) {
      const [at, first, second] = [p * CLASS_SIZE, firsts[p] * CLASS_SIZE, seconds[p] * CLASS_SIZE];
      for (let i = 0; i < CLASS_SIZE; i++) sums[at + i] = ofFirsts[first + i] + ofSeconds[second + i];
    }
    this.memory.kernels.leakyRelu(this.sums.at, to * CLASS_SIZE);
    this.classes.forward(this.scores, this.sums, to);
  }

  backward(x: Floats, xGradients: Floats, rows: number, { firsts, seconds, from, to }: RowPairs): void {
    const gradients = this.gradients!;
    const [ofFirsts, ofSeconds] = [gradients.firsts.values, gradients.seconds.values];
    const ofSums = gradients.sums.values;
    ofFirsts.fill(0, 0, rows * CLASS_SIZE);
    ofSeconds.fill(0, 0, rows * CLASS_SIZE);
    ofSums.fill(0, 0, to * CLASS_SIZE);
    this.classes.backward(this.scoreGradients!, this.sums, gradients.sums, to);
    this.memory.kernels.leakyReluBack(gradients.sums.at, this.sums.at, to * CLASS_SIZE);
    for (let p = from; p < to; p++) {
      const [at, first, second] = [p * CLASS_SIZE, firsts[p] * CLASS_SIZE, seconds[p] * CLASS_SIZE];
      for (let i = 0; i < CLASS_SIZE; i++) {
        ofFirsts[first + i] += ofSums[at + i];
        ofSeconds[second + i] += ofSums[at + i];
      }
    }
    this.asFirst.backward!(gradients.firsts, x, xGradients, rows);
    this.asSecond.backward!(gradients.seconds, x, xGradients, rows);
  }
}
