import { denseShapes } from '../network/layers/dense.ts';
import { recurrentShape } from '../network/layers/lstm.ts';
import { FLOAT, GATES, QUANTIZED_ONE } from '../network/layout.ts';
import { type Floats, NetworkMemory, padded } from '../network/memory.ts';
import { Parameters, type Shape } from '../network/parameters.ts';
import { QuantizedDense, QuantizedParameters } from '../network/quantized-layers.ts';
import { quantizedLstm } from '../network/quantized-matrix.ts';
import { BatchProducts } from './batch-dense.ts';
import type { QuantizedRows } from './quantized-rows.ts';
import { BOUNDARIES, BOUNDARY, type EncoderSettings } from './settings.ts';
import { BOUNDARY_CHARACTERS, type EncoderVocabulary } from './vocabulary.ts';
import { CharacterFilters, filterShapes } from './word-layer.ts';

/** The name of a layer's parameters; LSTMs read the direction from its end. */
export const layerName = (layer: number, direction: string): string => `layer-${layer + 1}.${direction}`;

/** The parameters of a direction that its outputs depend on, without the word table, which is stored in fewer bits. */
export function directionShapes(settings: EncoderSettings, direction: string): Shape[] {
  const { units, layers } = settings;
  const ofLayers = Array.from({ length: layers }, (_, l) => {
    const name = layerName(l, direction);
    return [...denseShapes(`${name}.inputs`, units, GATES * units), recurrentShape(name, units)];
  });
  return [...filterShapes(settings), ...ofLayers.flat()];
}

/** One direction of a trained language model, in 8 bits: the word table, then the matrices of `directionShapes`. */
export type DirectionWeights = { readonly words: QuantizedRows; readonly matrices: readonly QuantizedRows[] };

/** Maximum number of words read together; longer sentences are read in pieces. */
export const LONGEST = 256;
/** Maximum number of cached words, besides those of the current sentence. */
const MOST_KNOWN = 4096;
const SLOTS = MOST_KNOWN + LONGEST + 1;
/** The boundary as a form: no word is empty. */
const BOUNDARY_FORM = '';

/** Reads sentences in one direction of a language model, quantized to 16 bits. */
export class DirectionReader {
  private readonly filters: CharacterFilters;
  /** The slots of cached words, each with a row and its projection to the gates of the first LSTM. */
  private readonly known = new Map<string, number>();
  private readonly rows: Floats;
  private readonly gates: Floats;
  private readonly memory = new NetworkMemory();
  private readonly quantizedRows: Floats;
  private readonly rowScales: Floats;
  /** The slots of the sentence last read, with a boundary at both ends. */
  private readonly slots = new Int32Array(LONGEST + BOUNDARIES);
  private readonly lstms: readonly QuantizedLstmLayer[];

  constructor(
    private readonly settings: EncoderSettings,
    direction: string,
    private readonly weights: DirectionWeights,
  ) {
    const { units, layers } = settings;
    const { memory } = this;
    const shapes = directionShapes(settings, direction);
    const parameters = new Parameters(memory, shapes, false);
    const quantized = new QuantizedParameters(memory, parameters);
    const words = LONGEST + 1;
    this.filters = new CharacterFilters(new BatchProducts(memory, units), parameters, settings, words);
    this.quantizedRows = memory.take((words * units) / 2);
    this.rowScales = memory.take(padded(words));
    this.rows = memory.take(SLOTS * units);
    this.gates = memory.take(SLOTS * GATES * units);
    this.lstms = Array.from(
      { length: layers },
      (_, l) => new QuantizedLstmLayer(quantized, layerName(l, direction), units),
    );
    memory.allocate();
    for (const [m, { name, rows }] of shapes.entries())
      weights.matrices[m].copyTo(parameters.matrix(name).values, 0, 0, rows);
    this.filters.refresh();
    quantized.fill();
  }

  read(forms: readonly string[], vocabulary: EncoderVocabulary): void {
    const { lstms, known, slots, gates } = this;
    const tokens = forms.length + BOUNDARIES;
    if (known.size > MOST_KNOWN) known.clear();
    this.add(
      [...new Set([BOUNDARY_FORM, ...forms])].filter((form) => !known.has(form)),
      vocabulary,
    );
    for (let t = 0; t < tokens; t++) slots[t] = known.get(forms[t - 1] ?? BOUNDARY_FORM)!;
    lstms[0].forward(gates, tokens, slots);
    for (let l = 1; l < lstms.length; l++) lstms[l].forwardOn(lstms[l - 1].output, tokens);
  }

  /** Copies a row of a layer for word t: layer 0 has the rows of words, the next the outputs of the first LSTM. */
  copyRow(layer: number, t: number, out: Float32Array, to: number): void {
    const { units } = this.settings;
    // The first token is the boundary.
    if (layer > 0) this.lstms[layer - 1].copyRow(t + 1, out, to);
    else {
      const row = this.slots[t + 1] * units;
      for (let i = 0; i < units; i++) out[to + i] = this.rows.values[row + i];
    }
  }

  /** Adds words to the cache: computes what does not depend on their context. */
  private add(forms: readonly string[], vocabulary: EncoderVocabulary): void {
    const { settings, weights, filters, lstms, rows, gates, known } = this;
    const { memory, quantizedRows, rowScales } = this;
    const { units } = settings;
    const first = known.size;
    filters.clear();
    for (const [i, form] of forms.entries()) {
      const isBoundary = form === BOUNDARY_FORM;
      const row = isBoundary ? BOUNDARY : vocabulary.rowOf(form);
      weights.words.copyTo(rows.values, (first + i) * units, row);
      const characters = isBoundary ? BOUNDARY_CHARACTERS : vocabulary.charactersOf(form);
      filters.push(characters, 0, characters.length);
      known.set(form, first + i);
    }
    filters.forward(rows.values, first * units + units / 2, units);
    const from = rows.at + first * units * FLOAT;
    memory.kernels.quantizeRows(quantizedRows.at, rowScales.at, from, forms.length, units);
    const width = GATES * units;
    const to = gates.at + first * width * FLOAT;
    lstms[0].inputs.forward(to, width, quantizedRows, forms.length, rowScales);
  }
}

/** An LSTM layer of a trained direction, quantized to 16 bits. */
class QuantizedLstmLayer {
  readonly inputs: QuantizedDense;
  /** tokens × units, 16-bit integers. */
  readonly output: Floats;
  /** The outputs of the layer below, projected to the gates. */
  private readonly gates: Floats;
  private readonly memory: NetworkMemory;
  private readonly zeros: Floats;
  private readonly addresses: Floats;
  private readonly struct: number;

  constructor(
    quantized: QuantizedParameters,
    name: string,
    private readonly units: number,
  ) {
    const tokens = LONGEST + BOUNDARIES;
    const isFirst = name.startsWith(layerName(0, ''));
    const { memory } = quantized;
    this.memory = memory;
    this.inputs = new QuantizedDense(quantized, `${name}.inputs`);
    this.output = memory.take((tokens * units) / 2);
    this.gates = memory.take(isFirst ? 0 : tokens * GATES * units);
    this.zeros = memory.take(GATES * units);
    this.addresses = memory.take(padded(2 * tokens));
    this.struct = quantizedLstm(memory, quantized.recurrent(name), name, {
      out: this.output.at,
      stride: (units * FLOAT) / 2,
      inputs: this.addresses.at,
      offset: 0,
      room: memory.take((GATES + 1) * units).at,
      size: units,
    });
  }

  /** Fills `output`; the gates of token t are row `rowOf[t]` (default: t) of `gates`. */
  forward(gates: Floats, tokens: number, rowOf?: Int32Array): void {
    const { addresses, zeros, units } = this;
    const pairs = new Uint32Array(addresses.values.buffer, addresses.at, 2 * tokens);
    for (let t = 0; t < tokens; t++) {
      pairs[2 * t] = gates.at + (rowOf === undefined ? t : rowOf[t]) * GATES * units * FLOAT;
      pairs[2 * t + 1] = zeros.at;
    }
    this.memory.kernels.quantizedLstm(this.struct, tokens);
  }

  /** Fills `output` from the outputs of the layer below. */
  forwardOn(below: Floats, tokens: number): void {
    this.inputs.forward(this.gates.at, GATES * this.units, below, tokens);
    this.forward(this.gates, tokens);
  }

  copyRow(row: number, out: Float32Array, to: number): void {
    const { output, units } = this;
    const numbers = new Int16Array(output.values.buffer, output.at + 2 * row * units, units);
    for (let i = 0; i < units; i++) out[to + i] = numbers[i] / QUANTIZED_ONE;
  }
}
