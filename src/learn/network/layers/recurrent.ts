import { copyRows } from '../copy-rows.ts';
import type { Floats, NetworkMemory } from '../memory.ts';
import type { Parameters, Shape } from '../parameters.ts';
import { Dense, denseShapes } from './dense.ts';
import { directions, forgetLittle, Recurrence, recurrenceShape } from './recurrence.ts';

/** The weights of a layer of so many inputs and units. */
export function recurrentShapes(name: string, inputs: number, size: number): Shape[] {
  return directions.flatMap((direction) => [
    ...denseShapes(`${name}.${direction}.inputs`, inputs, 4 * size),
    recurrenceShape(`${name}.${direction}`, size),
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
    return directions.length * Recurrence.room(size, tokens, isLearnt);
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
      copyRows(slopes.values, p * size, 2 * size, pass.hiddenSlopes.values, 0, size, rows);
      pass.backward(x, xSlopes, rows);
    }
  }

  /** Where learning begins, after all weights are drawn. */
  begin(): void {
    for (const { inputs } of this.passes) forgetLittle(inputs.bias, this.size);
  }
}

/** One of the directions. */
class Pass {
  readonly inputs: Dense;
  private readonly recurrence: Recurrence;

  constructor(memory: NetworkMemory, parameters: Parameters, name: string, size: number, tokens: number) {
    this.inputs = new Dense(memory, parameters, `${name}.inputs`);
    this.recurrence = new Recurrence(memory, parameters, name, size, tokens);
  }

  get hidden(): Floats {
    return this.recurrence.hidden;
  }

  get hiddenSlopes(): Floats {
    return this.recurrence.hiddenSlopes!;
  }

  forward(x: Floats, rows: number): void {
    this.inputs.forward(this.recurrence.gates, x, rows);
    this.recurrence.forward(rows);
  }

  backward(x: Floats, xSlopes: Floats, rows: number): void {
    this.recurrence.backward(rows);
    this.inputs.backward(this.recurrence.gateSlopes!, x, xSlopes, rows);
  }
}
