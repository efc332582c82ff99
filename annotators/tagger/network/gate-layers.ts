import { Dense, denseShapes } from '../../../src/learn/network/layers/dense.ts';
import { Dropout } from '../../../src/learn/network/layers/dropout.ts';
import type { InputFields, InputRows } from '../../../src/learn/network/layers/input-layer.ts';
import { InputLayer } from '../../../src/learn/network/layers/input-layer.ts';
import { directions, initializeForgetGates } from '../../../src/learn/network/layers/lstm.ts';
import type { TokenInput } from '../../../src/learn/network/layers/projected-input.ts';
import { Addend, ProjectedInput } from '../../../src/learn/network/layers/projected-input.ts';
import { FLOAT, GATES, QuantizedDenseFields } from '../../../src/learn/network/layout.ts';
import { type Floats, type NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import type { Matrix, Parameters, Shape } from '../../../src/learn/network/parameters.ts';
import { QuantizedMatrix } from '../../../src/learn/network/quantized-matrix.ts';
import type { Random } from '../../../src/learn/random.ts';

const INPUT_DROPOUT = 0.1;

export interface LayerSizes extends InputFields {
  /** LSTM units per direction, a multiple of four. */
  readonly units: number;
}

/** Projects the embeddings of distinct words to the LSTM gates of both directions, once for each. */
export class WordLayer {
  /** For each direction: words × 4 units; and their gradients, in training. */
  readonly gates: readonly Floats[];
  readonly gateGradients: readonly Floats[] | undefined;
  private readonly layer: InputLayer;
  private readonly inputs: readonly Dense[];
  private readonly rows: Floats;
  private readonly rowGradients: Floats | undefined;
  private readonly dropout: Dropout | undefined;

  static shapes(sizes: LayerSizes): Shape[] {
    const ofInputs = directions.flatMap((direction) =>
      denseShapes(`words.${direction}`, InputLayer.width(sizes), GATES * sizes.units),
    );
    return [...InputLayer.shapes(sizes), ...ofInputs];
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    private readonly sizes: LayerSizes,
    words: number,
  ) {
    const { units } = sizes;
    this.layer = new InputLayer(memory, parameters, sizes, { tokens: words, hasRoot: false });
    this.inputs = directions.map((direction) => new Dense(memory, parameters, `words.${direction}`));
    const { width } = this.layer;
    this.rows = memory.take(width * words);
    this.gates = directions.map(() => memory.take(GATES * units * words));
    if (parameters.gradients === undefined) return;
    this.rowGradients = memory.take(width * words);
    this.gateGradients = directions.map(() => memory.take(GATES * units * words));
    this.dropout = new Dropout(memory, width, INPUT_DROPOUT);
  }

  initialize(): void {
    for (const { bias } of this.inputs) initializeForgetGates(bias, this.sizes.units);
  }

  /** Fills `gates`; `random` draws the dropout masks in training. */
  forward(words: InputRows, random?: Random): void {
    const { tokens } = words;
    this.layer.forward(this.rows, words);
    if (random !== undefined) {
      this.dropout!.draw(random);
      this.dropout!.apply(this.rows, tokens);
    }
    for (const [d, inputs] of this.inputs.entries()) inputs.forward(this.gates[d], this.rows, tokens);
  }

  backward(words: InputRows): void {
    const gradients = this.rowGradients!;
    const { tokens } = words;
    gradients.values.fill(0, 0, this.layer.width * tokens);
    for (const [d, inputs] of this.inputs.entries())
      inputs.backward(this.gateGradients![d], this.rows, gradients, tokens);
    this.dropout!.apply(gradients, tokens);
    this.layer.backward(gradients, words);
  }
}

/** Projects contextual vectors, of an encoder that reads whole sentences, to the LSTM gates of both directions, in training. */
export class ContextLayer {
  private readonly projection: ProjectedInput;
  private readonly inputs: readonly Dense[];
  /** (words + 1) × size, the root first; and a view without the root's row. */
  private readonly rows: Floats;
  private readonly ofWords: Floats;
  private readonly gradients: Floats;
  private readonly gradientsOfWords: Floats;
  private readonly dropout: Dropout;

  static shapes(input: TokenInput, units: number): Shape[] {
    const ofGates = directions.flatMap((direction) =>
      denseShapes(`context.${direction}`, input.size, GATES * units),
    );
    return [...ProjectedInput.shapes(input), ...ofGates];
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    private readonly input: TokenInput,
    words: number,
  ) {
    const { size } = input;
    this.projection = new ProjectedInput(memory, parameters, input, { tokens: words + 1, hasRoot: true });
    this.inputs = directions.map((direction) => new Dense(memory, parameters, `context.${direction}`));
    const afterRoot = ({ at }: Floats) => memory.view(at + size * FLOAT, words * size);
    this.rows = memory.take((words + 1) * size);
    this.ofWords = afterRoot(this.rows);
    this.gradients = memory.take((words + 1) * size);
    this.gradientsOfWords = afterRoot(this.gradients);
    this.dropout = new Dropout(memory, size, INPUT_DROPOUT);
  }

  /** Fills the gates of each direction, words × 4 units; `forms`: the root's, then the words'. */
  forward(gates: readonly Floats[], forms: readonly string[], random?: Random): void {
    const { rows, ofWords, inputs, input, dropout } = this;
    this.projection.forward(rows, 0, input.size, forms);
    if (random !== undefined) {
      dropout.draw(random);
      dropout.apply(rows, forms.length);
    }
    for (const [d, layer] of inputs.entries()) layer.forward(gates[d], ofWords, forms.length - 1);
  }

  /** Adds to the gradients of the parameters, for the words that `forward` read. */
  backward(gateGradients: readonly Floats[], words: number): void {
    const { ofWords, inputs, input, gradients, gradientsOfWords } = this;
    gradients.values.fill(0, 0, (words + 1) * input.size);
    for (const [d, layer] of inputs.entries())
      layer.backward(gateGradients[d], ofWords, gradientsOfWords, words);
    this.dropout.apply(gradients, words + 1);
    this.projection.backward(gradients, 0, input.size, words + 1);
  }
}

/** Quantizes the weights of a dense layer; returns the address of its `QuantizedDenseFields`. */
export function quantizedLayer(memory: NetworkMemory, parameters: Parameters, name: string): number {
  return quantizedDense(memory, parameters.matrix(`${name}.weights`), parameters.matrix(`${name}.bias`).at);
}

function quantizedDense(memory: NetworkMemory, matrix: Matrix, bias: number): number {
  const { at, scales } = QuantizedMatrix.ofRows(memory, matrix).fill();
  return memory.struct(QuantizedDenseFields, { weights: at, scales: scales.at, bias, inner: matrix.columns });
}

/** A trained `ContextLayer`, quantized to 16 bits. */
export class QuantizedContext {
  /** words × 2 directions × 4 units. */
  readonly gates: Floats;
  private readonly width: number;
  private readonly numbers: Floats;
  private readonly rows: Floats;
  /** The quantized input of the projection (`numbers`), then of the gates (`rows`). */
  private readonly quantized: Floats;
  private readonly scales: Floats;
  private readonly isKnown: Uint8Array;
  private readonly projection: number;
  private readonly inputs: readonly number[];

  /** Size of its buffers in floats, without the quantized parameters. */
  static floatCount({ dimensions, size }: TokenInput, units: number, words: number): number {
    const width = padded(dimensions);
    return (words + 1) * (width + Math.max(width, size) + size + 2 * GATES * units) + padded(words);
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    private readonly input: TokenInput,
    private readonly units: number,
    words: number,
  ) {
    const { name, size } = input;
    const weights = parameters.matrix(`${name}.weights`);
    this.width = weights.columns;
    this.numbers = memory.take((words + 1) * this.width);
    this.rows = memory.take(words * size);
    this.quantized = memory.take((words * Math.max(this.width, size)) / 2);
    this.scales = memory.take(padded(words));
    this.isKnown = new Uint8Array(words + 1);
    this.gates = memory.take(words * directions.length * GATES * units);
    const { at } = parameters.matrix(`${name}.addends`);
    this.projection = quantizedDense(memory, weights, at + Addend.known * size * FLOAT);
    this.inputs = directions.map((direction) => quantizedLayer(memory, parameters, `context.${direction}`));
  }

  /** Fills `gates`; `forms`: the root's, then the words'. */
  read(forms: readonly string[]): void {
    const { input, numbers, width, rows, quantized, scales, inputs, gates, units } = this;
    const { kernels } = this.memory;
    const words = forms.length - 1;
    numbers.values.fill(0, 0, forms.length * width);
    input.fill(forms, numbers.values, width, this.isKnown);
    const [bytes, rowBytes] = [GATES * units * FLOAT, input.size * FLOAT];
    kernels.quantizeRows(quantized.at, scales.at, numbers.at + width * FLOAT, words, width);
    kernels.quantizedRows(rows.at, rowBytes, quantized.at, scales.at, this.projection, words, 0, input.size);
    kernels.quantizeRows(quantized.at, scales.at, rows.at, words, input.size);
    for (const [d, layer] of inputs.entries()) {
      const to = gates.at + d * bytes;
      kernels.quantizedRows(to, 2 * bytes, quantized.at, scales.at, layer, words, 0, GATES * units);
    }
  }
}
