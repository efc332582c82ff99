import { Dense, denseShapes } from '../../src/learn/network/layers/dense.ts';
import { type Floats, type NetworkMemory, padded } from '../../src/learn/network/memory.ts';
import type { Parameters, Shape } from '../../src/learn/network/parameters.ts';

/** Sizes of the representations of a token as an end of an arc, for scoring arcs and for scoring labels. */
const ARC_SIZE = 100;
const LABEL_SIZE = 80;

/**
 * The biaffine scorer of arcs (Dozat & Manning 2017, §2.2): each token has one representation as a head and one as a
 * dependent; the score is a bilinear form of both, with a bias for the head.
 */
export class ArcScorer {
  /** (n + 1) rows, row = dependent, column = head; rows are `rowLength` apart. */
  readonly scores: Floats;
  readonly scoreGradients: Floats | undefined;
  private readonly asHead: Dense;
  private readonly asDependent: Dense;
  private readonly pairs: Dense;
  private readonly heads: Floats;
  private readonly dependents: Floats;
  /** The dependents times the matrix of the bilinear form. */
  private readonly queries: Floats;
  private readonly gradients: { heads: Floats; dependents: Floats; queries: Floats } | undefined;

  static shapes(inputs: number): Shape[] {
    return [
      ...denseShapes('arcs.heads', inputs, ARC_SIZE),
      ...denseShapes('arcs.dependents', inputs, ARC_SIZE),
      ...denseShapes('arcs.pairs', ARC_SIZE, ARC_SIZE),
    ];
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    tokens: number,
    isTrained: boolean,
  ) {
    this.asHead = new Dense(memory, parameters, 'arcs.heads');
    this.asDependent = new Dense(memory, parameters, 'arcs.dependents');
    this.pairs = new Dense(memory, parameters, 'arcs.pairs');
    const rows = () => memory.take(ARC_SIZE * padded(tokens));
    const matrix = () => memory.take(padded(tokens) * padded(tokens));
    [this.heads, this.dependents, this.queries, this.scores] = [rows(), rows(), rows(), matrix()];
    if (!isTrained) return;
    this.gradients = { heads: rows(), dependents: rows(), queries: rows() };
    this.scoreGradients = matrix();
  }

  static rowLength(tokens: number): number {
    return padded(tokens);
  }

  /** Fills the scores; columns beyond the last token are meaningless. */
  forward(x: Floats, tokens: number): void {
    const { heads, dependents, queries, scores } = this;
    const { kernels } = this.memory;
    this.asHead.forward(heads, x, tokens);
    kernels.leakyRelu(heads.at, tokens * ARC_SIZE);
    this.asDependent.forward(dependents, x, tokens);
    kernels.leakyRelu(dependents.at, tokens * ARC_SIZE);
    this.pairs.forward(queries, dependents, tokens);
    kernels.product(scores.at, queries.at, heads.at, tokens, ARC_SIZE, padded(tokens));
  }

  backward(x: Floats, xGradients: Floats, tokens: number): void {
    const { heads, dependents, queries } = this;
    const { kernels } = this.memory;
    const [gradients, ofScores] = [this.gradients!, this.scoreGradients!.at];
    for (const { values } of Object.values(gradients)) values.fill(0, 0, padded(tokens) * ARC_SIZE);
    kernels.productBack(gradients.queries.at, ofScores, heads.at, tokens, ARC_SIZE, padded(tokens));
    kernels.productWeights(gradients.heads.at, ofScores, queries.at, tokens, ARC_SIZE, padded(tokens));
    this.pairs.backward(gradients.queries, dependents, gradients.dependents, tokens);
    kernels.leakyReluBack(gradients.heads.at, heads.at, tokens * ARC_SIZE);
    kernels.leakyReluBack(gradients.dependents.at, dependents.at, tokens * ARC_SIZE);
    this.asHead.backward(gradients.heads, x, xGradients, tokens);
    this.asDependent.backward(gradients.dependents, x, xGradients, tokens);
  }
}

/** Scores the labels of the arcs of a tree: a dense layer over the sum of the representations of both ends. */
export class LabelScorer {
  /** (n + 1) × labels, row = dependent; rows are `rowLength` apart. */
  readonly scores: Floats;
  readonly rowLength: number;
  readonly scoreGradients: Floats | undefined;
  private readonly asHead: Dense;
  private readonly asDependent: Dense;
  private readonly labels: Dense;
  private readonly heads: Floats;
  private readonly dependents: Floats;
  private readonly arcs: Floats;
  private readonly gradients: { heads: Floats; arcs: Floats } | undefined;

  static shapes(inputs: number, labels: number): Shape[] {
    return [
      ...denseShapes('labels.heads', inputs, LABEL_SIZE),
      ...denseShapes('labels.dependents', inputs, LABEL_SIZE),
      ...denseShapes('labels.scores', LABEL_SIZE, padded(labels)),
    ];
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    tokens: number,
    labels: number,
    isTrained: boolean,
  ) {
    this.rowLength = padded(labels);
    this.asHead = new Dense(memory, parameters, 'labels.heads');
    this.asDependent = new Dense(memory, parameters, 'labels.dependents');
    this.labels = new Dense(memory, parameters, 'labels.scores');
    const rows = () => memory.take(LABEL_SIZE * tokens);
    [this.heads, this.dependents, this.arcs] = [rows(), rows(), rows()];
    this.scores = memory.take(tokens * this.rowLength);
    if (!isTrained) return;
    this.gradients = { heads: rows(), arcs: rows() };
    this.scoreGradients = memory.take(tokens * this.rowLength);
  }

  forward(x: Floats, heads: Int32Array, tokens: number): void {
    this.asHead.forward(this.heads, x, tokens);
    this.asDependent.forward(this.dependents, x, tokens);
    const [ofHeads, ofDependents, arcs] = [this.heads.values, this.dependents.values, this.arcs.values];
    arcs.fill(0, 0, LABEL_SIZE);
    for (let d = 1; d < tokens; d++) {
      const head = heads[d] * LABEL_SIZE;
      const at = d * LABEL_SIZE;
      for (let i = 0; i < LABEL_SIZE; i++) arcs[at + i] = ofHeads[head + i] + ofDependents[at + i];
    }
    this.memory.kernels.leakyRelu(this.arcs.at, tokens * LABEL_SIZE);
    this.labels.forward(this.scores, this.arcs, tokens);
  }

  backward(x: Floats, xGradients: Floats, heads: Int32Array, tokens: number): void {
    const gradients = this.gradients!;
    const [ofHeads, ofArcs] = [gradients.heads.values, gradients.arcs.values];
    ofHeads.fill(0, 0, tokens * LABEL_SIZE);
    ofArcs.fill(0, 0, tokens * LABEL_SIZE);
    this.labels.backward(this.scoreGradients!, this.arcs, gradients.arcs, tokens);
    this.memory.kernels.leakyReluBack(gradients.arcs.at, this.arcs.at, tokens * LABEL_SIZE);
    for (let d = 1; d < tokens; d++) {
      const head = heads[d] * LABEL_SIZE;
      const at = d * LABEL_SIZE;
      for (let i = 0; i < LABEL_SIZE; i++) ofHeads[head + i] += ofArcs[at + i];
    }
    this.asHead.backward(gradients.heads, x, xGradients, tokens);
    this.asDependent.backward(gradients.arcs, x, xGradients, tokens);
  }
}
