import { Dense } from '../../../src/learn/network/layers/dense.ts';
import type { Floats, NetworkMemory } from '../../../src/learn/network/memory.ts';
import type { Parameters } from '../../../src/learn/network/parameters.ts';

/** A dense layer that learns, with room for its outputs: of each word a row. */
export class OutputRows {
  readonly scores: Floats;
  /** What `backward` begins with: to be filled like the scores. */
  readonly slopes: Floats;
  /** How far one row is from the next. */
  readonly length: number;
  private readonly layer: Dense;

  /** How many numbers it works with, besides its weights, for rows of this length. */
  static room(length: number, words: number): number {
    return 2 * length * words;
  }

  constructor(memory: NetworkMemory, parameters: Parameters, name: string, words: number) {
    this.layer = new Dense(memory, parameters, name);
    this.length = this.layer.bias.columns;
    this.scores = memory.take(this.length * words);
    this.slopes = memory.take(this.length * words);
  }

  forward(x: Floats, words: number): void {
    this.layer.forward(this.scores, x, words);
  }

  backward(x: Floats, xSlopes: Floats, words: number): void {
    this.layer.backward(this.slopes, x, xSlopes, words);
  }
}
