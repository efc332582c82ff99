import { FLOAT, type Floats, type NetworkMemory } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';

/** Of each token: four gates a unit, and cell, its tanh, and what comes out; on the way back as much. */
const NUMBERS_A_UNIT = 8;
const SLOPES_A_UNIT = 5;

/** Sentences are read from the left, and from the right. */
export const directions = ['forward', 'backward'] as const;

/** The weights by which a token's gates read what was remembered up to it. */
export function recurrenceShape(name: string, size: number): Shape {
  return { name: `${name}.hidden`, rows: 4 * size, columns: size, spread: Math.sqrt(3 / size) };
}

/** Where the biases of gates begin, after all weights are drawn: forgetting little (Jozefowicz, Zaremba & Sutskever 2015). */
export function forgetLittle({ values }: Floats, size: number): void {
  values.fill(1, size, 2 * size);
}

/**
 * Long short-term memory in one direction, which the end of its name tells: of each token what is remembered of the
 * sentence up to there. What tokens add to the gates by themselves comes from elsewhere.
 */
export class Recurrence {
  /** What the tokens add to their gates, 4 `size` numbers each: to be filled, and spent by `forward`. */
  readonly gates: Floats;
  /** What is remembered, `size` numbers a token. */
  readonly hidden: Floats;
  /** The slopes of both, where it is learnt: `backward` begins with the second, and fills the first. */
  readonly gateSlopes: Floats | undefined;
  readonly hiddenSlopes: Floats | undefined;
  private readonly weights: Matrix;
  private readonly cells: Floats;
  private readonly squashed: Floats;
  private readonly cellSlopes: Floats;
  private readonly isBackward: boolean;

  /** How many numbers it works with, besides its weights. */
  static room(size: number, tokens: number, isLearnt: boolean): number {
    return tokens * size * (NUMBERS_A_UNIT + (isLearnt ? SLOPES_A_UNIT : 0)) + size;
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    private readonly size: number,
    tokens: number,
  ) {
    this.weights = parameters.matrix(`${name}.hidden`);
    this.isBackward = name.endsWith('.backward');
    this.gates = memory.take(4 * size * tokens);
    this.hidden = memory.take(size * tokens);
    this.cells = memory.take(size * tokens);
    this.squashed = memory.take(size * tokens);
    this.cellSlopes = memory.take(size);
    if (this.weights.slopes === undefined) return;
    this.gateSlopes = memory.take(4 * size * tokens);
    this.hiddenSlopes = memory.take(size * tokens);
  }

  /** Fills `hidden` for so many tokens. */
  forward(tokens: number): void {
    const { gates, hidden, cells, squashed, weights, size, isBackward } = this;
    const { kernels } = this.memory;
    const backward = isBackward ? 1 : 0;
    kernels.recur(gates.at, hidden.at, cells.at, squashed.at, weights.at, tokens, size, backward);
  }

  /** Fills `gateSlopes`, and adds to the slopes of the weights. */
  backward(tokens: number): void {
    const { gates, hidden, cells, squashed, weights, size, cellSlopes, isBackward } = this;
    const [slopes, hiddenSlopes] = [this.gateSlopes!, this.hiddenSlopes!];
    const { kernels } = this.memory;
    kernels.recurBack(
      slopes.at,
      hiddenSlopes.at,
      cellSlopes.at,
      gates.at,
      cells.at,
      squashed.at,
      weights.at,
      tokens,
      size,
      isBackward ? 1 : 0,
    );
    // What a token's gates read is what the token before has given: the one after it, from the right.
    const gatesFrom = slopes.at + (isBackward ? 0 : 4 * size * FLOAT);
    const hiddenFrom = hidden.at + (isBackward ? size * FLOAT : 0);
    kernels.productWeights(weights.slopes!.at, gatesFrom, hiddenFrom, tokens - 1, size, 4 * size);
  }
}
