import { Dense, denseShapes } from '../../../src/learn/network/layers/dense.ts';
import { type Floats, type NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import type { Parameters, Shape } from '../../../src/learn/network/parameters.ts';

/** Numbers that a token has as the end of an arc. */
const SIZE = 80;

/** Scores the labels of the arcs of a tree: what stands for both ends is added up, and one layer looks at it. */
export class LabelScorer {
  /** Of each dependent a row of the scores of all labels, `rowLength` apart. */
  readonly scores: Floats;
  readonly rowLength: number;
  /** What `backward` begins with: to be filled like the scores. */
  readonly scoreSlopes: Floats | undefined;
  private readonly asHead: Dense;
  private readonly asDependent: Dense;
  private readonly labels: Dense;
  private readonly heads: Floats;
  private readonly dependents: Floats;
  private readonly arcs: Floats;
  private readonly slopes: { heads: Floats; arcs: Floats } | undefined;

  static shapes(inputs: number, labels: number): Shape[] {
    return [
      ...denseShapes('labels.heads', inputs, SIZE),
      ...denseShapes('labels.dependents', inputs, SIZE),
      ...denseShapes('labels.scores', SIZE, padded(labels)),
    ];
  }

  /** How many numbers it works with, besides its weights. */
  static room(tokens: number, labels: number, isLearnt: boolean): number {
    return tokens * (3 * SIZE + padded(labels) + (isLearnt ? 2 * SIZE + padded(labels) : 0));
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    tokens: number,
    labels: number,
    isLearnt: boolean,
  ) {
    this.rowLength = padded(labels);
    this.asHead = new Dense(memory, parameters, 'labels.heads');
    this.asDependent = new Dense(memory, parameters, 'labels.dependents');
    this.labels = new Dense(memory, parameters, 'labels.scores');
    const rows = () => memory.take(SIZE * tokens);
    [this.heads, this.dependents, this.arcs] = [rows(), rows(), rows()];
    this.scores = memory.take(tokens * this.rowLength);
    if (!isLearnt) return;
    this.slopes = { heads: rows(), arcs: rows() };
    this.scoreSlopes = memory.take(tokens * this.rowLength);
  }

  /** Fills the scores of all tokens but the root. */
  forward(x: Floats, heads: Int32Array, tokens: number): void {
    this.asHead.forward(this.heads, x, tokens);
    this.asDependent.forward(this.dependents, x, tokens);
    const [ofHeads, ofDependents, arcs] = [this.heads.values, this.dependents.values, this.arcs.values];
    arcs.fill(0, 0, SIZE);
    for (let d = 1; d < tokens; d++) {
      const head = heads[d] * SIZE;
      const at = d * SIZE;
      for (let i = 0; i < SIZE; i++) arcs[at + i] = ofHeads[head + i] + ofDependents[at + i];
    }
    this.memory.kernels.rectify(this.arcs.at, tokens * SIZE);
    this.labels.forward(this.scores, this.arcs, tokens);
  }

  /** Adds to the slopes of the inputs, and to those of the weights, by `scoreSlopes`. */
  backward(x: Floats, xSlopes: Floats, heads: Int32Array, tokens: number): void {
    const slopes = this.slopes!;
    const [ofHeads, ofArcs] = [slopes.heads.values, slopes.arcs.values];
    ofHeads.fill(0, 0, tokens * SIZE);
    ofArcs.fill(0, 0, tokens * SIZE);
    this.labels.backward(this.scoreSlopes!, this.arcs, slopes.arcs, tokens);
    this.memory.kernels.rectifyBack(slopes.arcs.at, this.arcs.at, tokens * SIZE);
    for (let d = 1; d < tokens; d++) {
      const head = heads[d] * SIZE;
      const at = d * SIZE;
      for (let i = 0; i < SIZE; i++) ofHeads[head + i] += ofArcs[at + i];
    }
    this.asHead.backward(slopes.heads, x, xSlopes, tokens);
    this.asDependent.backward(slopes.arcs, x, xSlopes, tokens);
  }
}
