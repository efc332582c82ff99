import { FLOAT, GATES, Gate, LstmFields } from '../layout.ts';
import type { Floats, NetworkMemory } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';
import { Dense, denseShapes } from './dense.ts';

/** Sentences are read from the left and from the right. */
export const directions = ['forward', 'backward'] as const;
export type Direction = (typeof directions)[number];

/** The recurrent weights of an LSTM in one direction: 4 size × size. */
export function recurrentShape(name: string, size: number): Shape {
  return { name: `${name}.hidden`, rows: GATES * size, columns: size, spread: Math.sqrt(3 / size) };
}

/** Sets the biases of the forget gates to 1, after all weights are drawn (Jozefowicz, Zaremba & Sutskever 2015). */
export function initializeForgetGates({ values }: Floats, size: number): void {
  values.fill(1, Gate.forget * size, (Gate.forget + 1) * size);
}

/** The recurrence of an LSTM in training, in one direction, the suffix of its name; the inputs' part of the gates comes from another layer. */
export class LstmPass {
  /** tokens × 4 size: the caller fills in the inputs' part of the gates; `forward` overwrites it. */
  readonly gates: Floats;
  /** The output: tokens × size. */
  readonly hidden: Floats;
  /** The gradients of `gates`, which `backward` fills, and of `hidden`, which it reads. */
  readonly gateGradients: Floats;
  readonly hiddenGradients: Floats;
  private readonly weights: Matrix;
  private readonly isBackward: boolean;
  private readonly fields: number;

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    private readonly size: number,
    tokens: number,
  ) {
    this.weights = parameters.matrix(`${name}.hidden`);
    this.isBackward = name.endsWith('.backward');
    this.gates = memory.take(GATES * size * tokens);
    this.hidden = memory.take(size * tokens);
    this.gateGradients = memory.take(GATES * size * tokens);
    this.hiddenGradients = memory.take(size * tokens);
    this.fields = memory.struct(LstmFields, {
      gates: this.gates.at,
      hidden: this.hidden.at,
      cells: memory.take(size * tokens).at,
      cellActivations: memory.take(size * tokens).at,
      weights: this.weights.at,
      gateGradients: this.gateGradients.at,
      hiddenGradients: this.hiddenGradients.at,
      cellGradients: memory.take(size).at,
      size,
      isBackward: this.isBackward ? 1 : 0,
    });
  }

  forward(tokens: number): void {
    this.memory.kernels.lstm(this.fields, tokens);
  }

  /** Fills `gateGradients`, and adds to the gradients of the weights. */
  backward(tokens: number): void {
    const { hidden, weights, size, isBackward } = this;
    const { kernels } = this.memory;
    kernels.lstmBack(this.fields, tokens);
    // The gates of a token read the output of the previous one: in the backward direction, of the next.
    const gatesFrom = this.gateGradients.at + (isBackward ? 0 : GATES * size * FLOAT);
    const hiddenFrom = hidden.at + (isBackward ? size * FLOAT : 0);
    kernels.productWeights(weights.gradients!.at, gatesFrom, hiddenFrom, tokens - 1, size, GATES * size);
  }
}

export function biLstmShapes(name: string, inputs: number, size: number): Shape[] {
  return directions.flatMap((direction) => [
    ...denseShapes(`${name}.${direction}.inputs`, inputs, GATES * size),
    recurrentShape(`${name}.${direction}`, size),
  ]);
}

/** A bidirectional LSTM (Graves & Schmidhuber 2005) in training, with the dense layers of its inputs. */
export class BiLstm {
  private readonly passes: readonly { readonly inputs: Dense; readonly lstm: LstmPass }[];

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    private readonly size: number,
    tokens: number,
  ) {
    this.passes = directions.map((direction) => ({
      inputs: new Dense(memory, parameters, `${name}.${direction}.inputs`),
      lstm: new LstmPass(memory, parameters, `${name}.${direction}`, size, tokens),
    }));
  }

  initialize(): void {
    for (const { inputs } of this.passes) initializeForgetGates(inputs.bias, this.size);
  }

  /** Fills `out`: rows × 2 size. */
  forward(out: Floats, x: Floats, rows: number): void {
    const { size } = this;
    for (const [p, { inputs, lstm }] of this.passes.entries()) {
      inputs.forward(lstm.gates, x, rows);
      lstm.forward(rows);
      copyRows(lstm.hidden.values, 0, size, out.values, p * size, 2 * size, rows);
    }
  }

  /** As `Dense.backward`, after `forward` with the same inputs. */
  backward(gradients: Floats, x: Floats, xGradients: Floats, rows: number): void {
    const { size } = this;
    for (const [p, { inputs, lstm }] of this.passes.entries()) {
      copyRows(gradients.values, p * size, 2 * size, lstm.hiddenGradients.values, 0, size, rows);
      lstm.backward(rows);
      inputs.backward(lstm.gateGradients, x, xGradients, rows);
    }
  }
}

/** Copies rows between matrices of different widths, from one column on to another: the columns that both have. */
export function copyRows(
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
