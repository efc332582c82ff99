import { FLOAT, type Floats, type NetworkMemory } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';
import { Dense, denseShapes } from './dense.ts';

/** Of each token and direction: four gates a unit, and cell, its tanh, and what comes out; on the way back as much. */
const NUMBERS_A_UNIT = 8;

const directions = ['forward', 'backward'] as const;

/** The weights of a layer of so many inputs and units. */
export function recurrentShapes(name: string, inputs: number, size: number): Shape[] {
  return directions.flatMap((direction) => [
    ...denseShapes(`${name}.${direction}.inputs`, inputs, 4 * size),
    {
      ...{ name: `${name}.${direction}.hidden`, rows: 4 * size, columns: size },
      spread: Math.sqrt(3 / size),
    },
  ]);
}

/**
 * A bidirectional layer of long short-term memory (Graves & Schmidhuber 2005): of each token what one that reads from the
 * left, and one that reads from the right, remember of the sentence up to there.
 */
export class Recurrent {
  private readonly passes: readonly Pass[];

  /** How many numbers a layer works with, besides its weights. */
  static room(size: number, tokens: number, isLearnt: boolean): number {
    return 2 * (tokens * size * (NUMBERS_A_UNIT + (isLearnt ? 5 : 0)) + size);
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    private readonly size: number,
    tokens: number,
  ) {
    this.passes = directions.map(
      (direction) => new Pass(memory, parameters, `${name}.${direction}`, size, tokens),
    );
  }

  /** Fills the rows of `out`, twice as long as there are units. */
  forward(out: Floats, x: Floats, rows: number): void {
    const { size } = this;
    for (const [p, pass] of this.passes.entries()) {
      pass.forward(x, rows);
      copyRows(pass.hidden.values, 0, size, out.values, p * size, 2 * size, rows);
    }
  }

  /** As of `Dense`, after `forward` with the same inputs. */
  backward(slopes: Floats, x: Floats, xSlopes: Floats, rows: number): void {
    const { size } = this;
    for (const [p, pass] of this.passes.entries()) {
      copyRows(slopes.values, p * size, 2 * size, pass.hiddenSlopes!.values, 0, size, rows);
      pass.backward(x, xSlopes, rows);
    }
  }

  /** Where learning begins, after all weights are drawn: forgetting little (Jozefowicz, Zaremba & Sutskever 2015). */
  begin(): void {
    for (const { inputs } of this.passes) inputs.bias.values.fill(1, this.size, 2 * this.size);
  }
}

/** One of the directions. */
class Pass {
  readonly hidden: Floats;
  readonly hiddenSlopes: Floats | undefined;
  readonly inputs: Dense;
  private readonly weights: Matrix;
  private readonly gates: Floats;
  private readonly cells: Floats;
  private readonly squashed: Floats;
  private readonly slopes: Floats | undefined;
  private readonly cellSlopes: Floats;
  private readonly isBackward: boolean;

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    private readonly size: number,
    tokens: number,
  ) {
    this.inputs = new Dense(memory, parameters, `${name}.inputs`);
    this.weights = parameters.matrix(`${name}.hidden`);
    this.isBackward = name.endsWith('.backward');
    this.gates = memory.take(4 * size * tokens);
    this.hidden = memory.take(size * tokens);
    this.cells = memory.take(size * tokens);
    this.squashed = memory.take(size * tokens);
    this.cellSlopes = memory.take(size);
    if (this.weights.slopes === undefined) return;
    this.slopes = memory.take(4 * size * tokens);
    this.hiddenSlopes = memory.take(size * tokens);
  }

  forward(x: Floats, rows: number): void {
    const { gates, hidden, cells, squashed, weights, size } = this;
    this.inputs.forward(gates, x, rows);
    const { kernels } = this.memory;
    const backward = this.isBackward ? 1 : 0;
    kernels.recur(gates.at, hidden.at, cells.at, squashed.at, weights.at, rows, size, backward);
  }

  backward(x: Floats, xSlopes: Floats, rows: number): void {
    const { gates, hidden, cells, squashed, weights, size, cellSlopes, isBackward } = this;
    const [slopes, hiddenSlopes] = [this.slopes!, this.hiddenSlopes!];
    const { kernels } = this.memory;
    kernels.recurBack(
      slopes.at,
      hiddenSlopes.at,
      cellSlopes.at,
      gates.at,
      cells.at,
      squashed.at,
      weights.at,
      rows,
      size,
      isBackward ? 1 : 0,
    );
    // What a token's gates read is what the token before has given: the one after it, from the right.
    const gatesFrom = slopes.at + (isBackward ? 0 : 4 * size * FLOAT);
    const hiddenFrom = hidden.at + (isBackward ? size * FLOAT : 0);
    kernels.productWeights(weights.slopes!.at, gatesFrom, hiddenFrom, rows - 1, size, 4 * size);
    this.inputs.backward(slopes, x, xSlopes, rows);
  }
}

/** Copies rows of one length into rows of another, or out of them, from the places given on: as much as fits both. */
function copyRows(
  from: Float32Array,
  fromStart: number,
  fromWidth: number,
  to: Float32Array,
  toStart: number,
  toWidth: number,
  rows: number,
): void {
  const count = Math.min(fromWidth, toWidth);
  for (let row = 0; row < rows; row++) {
    const source = row * fromWidth + fromStart;
    const target = row * toWidth + toStart;
    for (let i = 0; i < count; i++) to[target + i] = from[source + i];
  }
}
