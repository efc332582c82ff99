import { Dense, denseShapes } from '../../../src/learn/network/layers/dense.ts';
import { type Floats, type NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import type { Parameters, Shape } from '../../../src/learn/network/parameters.ts';

/**
 * How far each guide is to be trusted at each word, as the network sees the word: so much is added to the score of what the
 * guide says.
 */
export class Trust {
  private readonly dense: Dense;
  private readonly shares: Floats;
  private readonly slopes: Floats | undefined;

  static shapes(name: string, inputs: number, guides: number): Shape[] {
    return guides === 0 ? [] : denseShapes(`${name}.trust`, inputs, padded(guides));
  }

  /** How many numbers it works with, besides its weights. */
  static room(guides: number, tokens: number, isLearnt: boolean): number {
    return padded(guides) * tokens * (isLearnt ? 2 : 1);
  }

  /** @param guides one or more */
  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    private readonly guides: number,
    tokens: number,
    isLearnt: boolean,
  ) {
    this.dense = new Dense(memory, parameters, `${name}.trust`);
    this.shares = memory.take(padded(guides) * tokens);
    this.slopes = isLearnt ? memory.take(padded(guides) * tokens) : undefined;
  }

  /**
   * Adds to the scores of what guides say.
   *
   * @param answers of each guide, by token; what is below 0 is none
   * @param rowLength how far apart the scores of tokens are
   */
  forward(
    x: Floats,
    scores: Float32Array,
    answers: readonly Int32Array[],
    tokens: number,
    rowLength: number,
  ): void {
    this.dense.forward(this.shares, x, tokens);
    const width = padded(this.guides);
    for (const [g, answer] of answers.entries()) {
      for (let d = 1; d < tokens; d++) {
        if (answer[d] >= 0) scores[d * rowLength + answer[d]] += this.shares.values[d * width + g];
      }
    }
  }

  /** Adds to the slopes of the inputs, and to those of the weights, by the slopes of the scores. */
  backward(
    x: Floats,
    xSlopes: Floats,
    scoreSlopes: Float32Array,
    answers: readonly Int32Array[],
    tokens: number,
    rowLength: number,
  ): void {
    const width = padded(this.guides);
    const { values } = this.slopes!;
    values.fill(0, 0, width * tokens);
    for (const [g, answer] of answers.entries()) {
      for (let d = 1; d < tokens; d++) {
        if (answer[d] >= 0) values[d * width + g] = scoreSlopes[d * rowLength + answer[d]];
      }
    }
    this.dense.backward(this.slopes!, x, xSlopes, tokens);
  }
}
