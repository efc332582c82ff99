import { Dense, denseShapes } from '../../../src/learn/network/layers/dense.ts';
import { type Floats, type NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import type { Parameters, Shape } from '../../../src/learn/network/parameters.ts';

/** Numbers that a token has as a head, and as a dependent. */
const SIZE = 100;

/**
 * Scores every arc of a sentence: each token is looked at once as a head and once as a dependent. The score is a bilinear
 * form of both, with a part of the head's own (deep biaffine attention: Dozat & Manning 2017, §2.2).
 */
export class ArcScorer {
  /** Of each dependent a row of the scores of all heads, `rowLength` apart. */
  readonly scores: Floats;
  private readonly asHead: Dense;
  private readonly asDependent: Dense;
  private readonly pairs: Dense;
  private readonly heads: Floats;
  private readonly dependents: Floats;
  private readonly wanted: Floats;
  /** The slopes of all these; none where nothing is learnt. */
  private readonly slopes: { heads: Floats; dependents: Floats; wanted: Floats } | undefined;
  /** What `backward` begins with: to be filled like the scores. */
  readonly scoreSlopes: Floats | undefined;

  static shapes(inputs: number): Shape[] {
    return [
      ...denseShapes('arcs.heads', inputs, SIZE),
      ...denseShapes('arcs.dependents', inputs, SIZE),
      ...denseShapes('arcs.pairs', SIZE, SIZE),
    ];
  }

  /** How many numbers it works with, besides its weights. */
  static room(tokens: number, isLearnt: boolean): number {
    return (3 * SIZE * padded(tokens) + padded(tokens) ** 2) * (isLearnt ? 2 : 1);
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    tokens: number,
    isLearnt: boolean,
  ) {
    this.asHead = new Dense(memory, parameters, 'arcs.heads');
    this.asDependent = new Dense(memory, parameters, 'arcs.dependents');
    this.pairs = new Dense(memory, parameters, 'arcs.pairs');
    const rows = () => memory.take(SIZE * padded(tokens));
    const matrix = () => memory.take(padded(tokens) ** 2);
    [this.heads, this.dependents, this.wanted, this.scores] = [rows(), rows(), rows(), matrix()];
    if (!isLearnt) return;
    this.slopes = { heads: rows(), dependents: rows(), wanted: rows() };
    this.scoreSlopes = matrix();
  }

  /** How far apart the rows of the scores of a sentence are. */
  static rowLength(tokens: number): number {
    return padded(tokens);
  }

  /** Fills the scores; what stands for tokens that there are not is not to be looked at. */
  forward(x: Floats, tokens: number): void {
    const { heads, dependents, wanted, scores } = this;
    const { kernels } = this.memory;
    this.asHead.forward(heads, x, tokens);
    kernels.rectify(heads.at, tokens * SIZE);
    this.asDependent.forward(dependents, x, tokens);
    kernels.rectify(dependents.at, tokens * SIZE);
    this.pairs.forward(wanted, dependents, tokens);
    kernels.product(scores.at, wanted.at, heads.at, tokens, SIZE, padded(tokens));
  }

  /** Adds to the slopes of the inputs, and to those of the weights, by `scoreSlopes`. */
  backward(x: Floats, xSlopes: Floats, tokens: number): void {
    const { heads, dependents, wanted, slopes, scoreSlopes } = this;
    const { kernels } = this.memory;
    for (const { values } of Object.values(slopes!)) values.fill(0, 0, padded(tokens) * SIZE);
    const { heads: headSlopes, dependents: dependentSlopes, wanted: wantedSlopes } = slopes!;
    kernels.productBack(wantedSlopes.at, scoreSlopes!.at, heads.at, tokens, SIZE, padded(tokens));
    kernels.productWeights(headSlopes.at, scoreSlopes!.at, wanted.at, tokens, SIZE, padded(tokens));
    this.pairs.backward(wantedSlopes, dependents, dependentSlopes, tokens);
    kernels.rectifyBack(headSlopes.at, heads.at, tokens * SIZE);
    kernels.rectifyBack(dependentSlopes.at, dependents.at, tokens * SIZE);
    this.asHead.backward(headSlopes, x, xSlopes, tokens);
    this.asDependent.backward(dependentSlopes, x, xSlopes, tokens);
  }
}
