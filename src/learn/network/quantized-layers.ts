import { detached } from '../../platform/platform.ts';
import type { RowLayer } from './layers/dense.ts';
import { type InputFields, InputLayer, type InputRows } from './layers/input-layer.ts';
import { directions } from './layers/lstm.ts';
import { FLOAT, GATES, QuantizedDenseFields } from './layout.ts';
import { type Floats, type NetworkMemory, padded } from './memory.ts';
import type { Parameters } from './parameters.ts';
import { QuantizedMatrix, quantizedLstm } from './quantized-matrix.ts';
import type { LayerSettings } from './sentence-layers.ts';

/** The 16-bit matrices of a trained network: allocated with the network, filled once the weights are set. */
export class QuantizedParameters {
  private readonly matrices: QuantizedMatrix[] = [];

  constructor(
    readonly memory: NetworkMemory,
    readonly parameters: Parameters,
  ) {}

  fill(): void {
    for (const matrix of this.matrices) matrix.fill();
  }

  /** A dense layer over rows of 16-bit numbers. */
  dense(name: string): RowLayer {
    const layer = new QuantizedDense(this, name);
    return { forward: (out, x, rows) => layer.forward(out.at, layer.outputs, x, rows) };
  }

  recurrent(name: string): QuantizedMatrix {
    return this.added(QuantizedMatrix.ofGates(this.memory, this.parameters.matrix(`${name}.hidden`)));
  }

  added(matrix: QuantizedMatrix): QuantizedMatrix {
    this.matrices.push(matrix);
    return matrix;
  }
}

export class QuantizedDense {
  readonly outputs: number;
  private readonly memory: NetworkMemory;
  private readonly fields: number;

  constructor(quantized: QuantizedParameters, name: string) {
    const { memory, parameters } = quantized;
    const weights = parameters.matrix(`${name}.weights`);
    const { at, scales } = quantized.added(QuantizedMatrix.ofRows(memory, weights));
    this.memory = memory;
    this.outputs = weights.rows;
    this.fields = memory.struct(QuantizedDenseFields, {
      weights: at,
      scales: scales.at,
      bias: parameters.matrix(`${name}.bias`).at,
      inner: weights.columns,
    });
  }

  /** Writes rows from address `out` on, `stride` floats apart. @param x 16-bit rows @param rowScales as filled by `quantizeRows` */
  forward(out: number, stride: number, x: Floats, rows: number, rowScales?: Floats): void {
    const { fields, outputs } = this;
    const { kernels } = this.memory;
    kernels.quantizedRows(out, stride * FLOAT, x.at, rowScales?.at ?? 0, fields, rows, 0, outputs);
  }
}

/** `SentenceLayers` for inference in 16 bits: twice as fast, equal up to rounding. */
export class QuantizedLayers {
  /** The encoded tokens in 16 bits: (n + 1) × 2 units. */
  readonly output: Floats;
  /** The output of the first LSTM in 16 bits: (n + 1) × 2 units. */
  readonly firstOutput: Floats;
  private readonly inputs: InputGates;
  private readonly lstms: readonly QuantizedLstm[];

  constructor(
    quantized: QuantizedParameters,
    { layers, units, maxLength }: LayerSettings & { readonly maxLength: number },
    inputs: InputFields,
  ) {
    const gates = new GateRows(quantized.memory, units, maxLength + 1, directions);
    this.inputs = new InputGates(quantized, gates, inputs);
    this.lstms = Array.from({ length: layers }, (_, l) => new QuantizedLstm(quantized, gates, l));
    this.output = this.lstms.at(-1)!.output;
    this.firstOutput = this.lstms[0].output;
  }

  forward(sentence: InputRows): void {
    this.inputs.forward(sentence);
    for (const [l, lstm] of this.lstms.entries()) {
      if (l > 0) lstm.fillGates(this.lstms[l - 1].output, sentence.tokens);
      lstm.forward(sentence.tokens);
    }
  }
}

/** The inputs' contributions to the gates of each direction, tokens × 4 units, and the address of each token's row. */
export class GateRows {
  readonly rows: Floats;
  readonly width: number;
  private readonly zeros: Floats;
  private readonly addresses: Floats;

  constructor(
    readonly memory: NetworkMemory,
    readonly units: number,
    readonly tokens: number,
    readonly directions: readonly string[],
  ) {
    this.width = directions.length * GATES * units;
    this.rows = memory.take(this.width * tokens);
    this.zeros = memory.take(this.width);
    this.addresses = memory.take(padded(2 * tokens));
  }

  /** The address of a pair of addresses per token: its row, and a row of zeros (the kernel adds two rows). */
  get at(): number {
    return this.addresses.at;
  }

  /** Sets the row of each token: row t, or the given addresses. */
  place(tokens: number, rowOf?: Uint32Array): void {
    const { addresses, rows, width, zeros } = this;
    const pairs = new Uint32Array(addresses.values.buffer, addresses.at, 2 * tokens);
    for (let t = 0; t < tokens; t++) {
      pairs[2 * t] = rowOf === undefined ? rows.at + t * width * FLOAT : rowOf[t];
      pairs[2 * t + 1] = zeros.at;
    }
  }
}

/** Marks an empty slot. */
const NO_VALUE = -0x8000_0000;
/** Size of the cache of gate rows, a power of two. */
const SLOTS = 4096;

/**
 * Computes the contributions of the first layer to the gates. Unless an input reads the context, they depend on the token's
 * values and its form alone, and are cached by a hash of these.
 */
class InputGates {
  private readonly layer: InputLayer;
  private readonly dense: readonly QuantizedDense[];
  private readonly row: Floats;
  private readonly quantizedRow: Floats;
  private readonly rowScales: Floats;
  private readonly cache: TokenCache | undefined;

  constructor(
    quantized: QuantizedParameters,
    private readonly gates: GateRows,
    inputs: InputFields,
  ) {
    const { memory, parameters } = quantized;
    const { tokens } = gates;
    this.layer = new InputLayer(memory, parameters, inputs, { tokens, hasRoot: true });
    this.dense = inputLayers(quantized, gates, 0);
    this.row = memory.take(tokens * this.layer.width);
    this.quantizedRow = memory.take((tokens * this.layer.width) / 2);
    this.rowScales = memory.take(padded(tokens));
    const { fields, extraInputs } = inputs;
    const values = fields.reduce((sum, { summed = 1 }) => sum + summed, 0);
    if (!extraInputs.some((input) => 'readsContext' in input))
      this.cache = new TokenCache(gates, values, extraInputs.length > 0);
  }

  forward(sentence: InputRows): void {
    const { gates, cache } = this;
    if (cache === undefined) {
      this.fill(sentence);
      gates.place(sentence.tokens);
      return;
    }
    this.fill(cache.missing(sentence));
    cache.keep();
    gates.place(sentence.tokens, cache.rowOf);
  }

  private fill(sentence: InputRows): void {
    const { layer, row, quantizedRow, rowScales, gates } = this;
    const { tokens } = sentence;
    layer.forward(row, sentence);
    gates.memory.kernels.quantizeRows(quantizedRow.at, rowScales.at, row.at, tokens, layer.width);
    for (const [d, dense] of this.dense.entries()) {
      const out = gates.rows.at + d * GATES * gates.units * FLOAT;
      dense.forward(out, gates.width, quantizedRow, tokens, rowScales);
    }
  }
}

class TokenCache {
  /** For each token of the sentence, the address of its gates. */
  readonly rowOf: Uint32Array;
  private readonly slots: Floats;
  private readonly keys: Int32Array;
  /** For each slot, the last sentence that used it. */
  private readonly usedIn = new Int32Array(SLOTS);
  private sentence = 0;
  /** The form of the token in each slot, if the gates depend on it. */
  private readonly forms: string[] | undefined;
  private readonly missed: {
    readonly values: Int32Array;
    readonly forms: string[];
    readonly slots: Int32Array;
    tokens: number;
  };

  constructor(
    private readonly gates: GateRows,
    private readonly count: number,
    hasForms: boolean,
  ) {
    const { memory, width, tokens } = gates;
    if (hasForms) this.forms = new Array<string>(SLOTS).fill('');
    this.slots = memory.take(SLOTS * width);
    this.keys = new Int32Array(SLOTS * count).fill(NO_VALUE);
    this.rowOf = new Uint32Array(tokens);
    const values = new Int32Array(tokens * count);
    this.missed = { values, forms: [], slots: new Int32Array(tokens), tokens: 0 };
  }

  /** Returns the tokens of a sentence that are not cached, in the order in which their gates have to be filled. */
  missing({ tokens, values, forms: given = [] }: InputRows): InputRows {
    const { count, missed, slots, usedIn, rowOf, gates, forms } = this;
    const bytes = gates.width * FLOAT;
    this.sentence++;
    missed.tokens = 0;
    missed.forms.length = 0;
    for (let t = 0; t < tokens; t++) {
      const at = t * count;
      const form = forms === undefined ? '' : given[t];
      const slot = slotOf(values, at, count, form);
      rowOf[t] = slots.at + slot * bytes;
      const isHere = this.holds(slot, values, at, form);
      const isTaken = !isHere && usedIn[slot] === this.sentence;
      if (!isTaken) usedIn[slot] = this.sentence;
      if (isHere) continue;
      for (let k = 0; k < count; k++) missed.values[missed.tokens * count + k] = values[at + k];
      if (forms !== undefined) missed.forms.push(form);
      if (isTaken) rowOf[t] = gates.rows.at + missed.tokens * bytes;
      else {
        this.keys.set(values.subarray(at, at + count), slot * count);
        if (forms !== undefined) forms[slot] = detached(form);
      }
      missed.slots[missed.tokens++] = isTaken ? -1 : slot;
    }
    return missed;
  }

  /** Copies the gates of the missing tokens into their slots. */
  keep(): void {
    const { missed, slots, gates } = this;
    const { width } = gates;
    for (let m = 0; m < missed.tokens; m++) {
      const slot = missed.slots[m];
      if (slot >= 0) slots.values.set(gates.rows.values.subarray(m * width, (m + 1) * width), slot * width);
    }
  }

  private holds(slot: number, values: Int32Array, at: number, form: string): boolean {
    const { keys, count, forms } = this;
    if (forms !== undefined && forms[slot] !== form) return false;
    for (let k = 0; k < count; k++) if (keys[slot * count + k] !== values[at + k]) return false;
    return true;
  }
}

function slotOf(values: Int32Array, at: number, count: number, form: string): number {
  let hash = 0;
  for (let i = 0; i < form.length; i++) hash = Math.imul(hash ^ form.charCodeAt(i), 0x9e37_79b1);
  for (let k = at; k < at + count; k++) hash = Math.imul(hash ^ values[k], 0x9e37_79b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 13)) & (SLOTS - 1);
}

/** The name of a layer's parameters in a direction; LSTMs read the direction from its end. */
export const layerName = (layer: number, direction: string): string => `layer-${layer + 1}.${direction}`;

function inputLayers(quantized: QuantizedParameters, { directions }: GateRows, layer: number) {
  return directions.map(
    (direction) => new QuantizedDense(quantized, `${layerName(layer, direction)}.inputs`),
  );
}

/** A layer of LSTMs, one for each direction; whoever uses it fills the gates of the first layer. */
export class QuantizedLstm {
  /** Tokens × units of all directions, in 16 bits. */
  readonly output: Floats;
  private readonly inputs: readonly QuantizedDense[];
  private readonly passes: readonly number[];

  constructor(
    quantized: QuantizedParameters,
    private readonly gates: GateRows,
    layer: number,
  ) {
    const { memory } = quantized;
    const { units, tokens, directions } = gates;
    const cells = memory.take((GATES + 1) * units);
    const stride = (directions.length * units * FLOAT) / 2;
    this.output = memory.take((tokens * stride) / FLOAT);
    this.inputs = layer === 0 ? [] : inputLayers(quantized, gates, layer);
    this.passes = directions.map((direction, d) => {
      return quantizedLstm(memory, quantized.recurrent(layerName(layer, direction)), direction, {
        out: this.output.at + (d * units * FLOAT) / 2,
        stride,
        inputs: gates.at,
        offset: d * GATES * units * FLOAT,
        scratch: cells.at,
        size: units,
      });
    });
  }

  /** Computes the gates' inputs from the output of the layer below. */
  fillGates(x: Floats, tokens: number): void {
    const { gates } = this;
    for (const [d, dense] of this.inputs.entries())
      dense.forward(gates.rows.at + d * GATES * gates.units * FLOAT, gates.width, x, tokens);
    gates.place(tokens);
  }

  forward(tokens: number): void {
    for (const pass of this.passes) this.gates.memory.kernels.quantizedLstm(pass, tokens);
  }
}
