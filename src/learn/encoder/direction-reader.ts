import { denseShapes } from '../network/layers/dense.ts';
import { recurrentShape } from '../network/layers/lstm.ts';
import { FLOAT, GATES, QUANTIZED_ONE } from '../network/layout.ts';
import { type Floats, NetworkMemory, padded } from '../network/memory.ts';
import { Parameters, type Shape } from '../network/parameters.ts';
import {
  GateRows,
  layerName,
  QuantizedDense,
  QuantizedLstm,
  QuantizedParameters,
} from '../network/quantized-layers.ts';
import { BatchProducts } from './batch-dense.ts';
import type { QuantizedRows } from './quantized-rows.ts';
import type { EncoderSettings, EncoderVocabulary } from './settings.ts';
import { BOUNDARIES, BOUNDARY, BOUNDARY_CHARACTERS } from './settings.ts';
import { CharacterFilters, filterShapes } from './word-layer.ts';

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
/** Maximum number of cached words, besides the current sentence's. */
const MOST_KNOWN = 4096;
/** Maximum number of tokens read together: words, with a boundary at both ends. */
const TOKENS = LONGEST + BOUNDARIES;
const SLOTS = MOST_KNOWN + LONGEST + 1;
/** The boundary as a form: no word is empty. */
const BOUNDARY_FORM = '';

/** Reads sentences in one direction of a language model, quantized to 16 bits. */
export class DirectionReader {
  private readonly filters: CharacterFilters;
  /** The slots of cached words, each with a row and its projection to the gates of the first LSTM. */
  private readonly known = new Map<string, number>();
  private readonly rows: Floats;
  private readonly knownGates: Floats;
  private readonly memory = new NetworkMemory();
  private readonly quantizedRows: Floats;
  private readonly rowScales: Floats;
  /** The slots of the sentence last read, with a boundary at both ends. */
  private readonly slots = new Int32Array(TOKENS);
  /** The addresses of their gates. */
  private readonly addresses = new Uint32Array(TOKENS);
  /** Projects words to the gates of the first LSTM. */
  private readonly inputs: QuantizedDense;
  private readonly gates: GateRows;
  private readonly lstms: readonly QuantizedLstm[];

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
    this.knownGates = memory.take(SLOTS * GATES * units);
    this.inputs = new QuantizedDense(quantized, `${layerName(0, direction)}.inputs`);
    this.gates = new GateRows(memory, units, TOKENS, [direction]);
    this.lstms = Array.from({ length: layers }, (_, l) => new QuantizedLstm(quantized, this.gates, l));
    memory.allocate();
    for (const [m, { name, rows }] of shapes.entries())
      weights.matrices[m].copyTo(parameters.matrix(name).values, 0, 0, rows);
    this.filters.refresh();
    quantized.fill();
  }

  read(forms: readonly string[], vocabulary: EncoderVocabulary): void {
    const { lstms, known, slots, addresses, gates, knownGates } = this;
    const tokens = forms.length + BOUNDARIES;
    if (known.size > MOST_KNOWN) known.clear();
    this.add(
      [...new Set([BOUNDARY_FORM, ...forms])].filter((form) => !known.has(form)),
      vocabulary,
    );
    for (let t = 0; t < tokens; t++) {
      slots[t] = known.get(forms[t - 1] ?? BOUNDARY_FORM)!;
      addresses[t] = knownGates.at + slots[t] * gates.width * FLOAT;
    }
    gates.place(tokens, addresses);
    for (const [l, lstm] of lstms.entries()) {
      if (l > 0) lstm.fillGates(lstms[l - 1].output, tokens);
      lstm.forward(tokens);
    }
  }

  /** Copies a row of a layer for word t: layer 0 has the rows of words, the next the outputs of the first LSTM. */
  copyRow(layer: number, t: number, out: Float32Array, to: number): void {
    const { units } = this.settings;
    // The first token is the boundary.
    const token = t + 1;
    if (layer === 0) {
      const row = this.slots[token] * units;
      for (let i = 0; i < units; i++) out[to + i] = this.rows.values[row + i];
      return;
    }
    const { at, values } = this.lstms[layer - 1].output;
    const numbers = new Int16Array(values.buffer, at + 2 * token * units, units);
    for (let i = 0; i < units; i++) out[to + i] = numbers[i] / QUANTIZED_ONE;
  }

  /** Adds words to the cache: computes what does not depend on their context. */
  private add(forms: readonly string[], vocabulary: EncoderVocabulary): void {
    const { settings, weights, filters, inputs, rows, gates, known } = this;
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
    const to = this.knownGates.at + first * gates.width * FLOAT;
    inputs.forward(to, gates.width, quantizedRows, forms.length, rowScales);
  }
}
