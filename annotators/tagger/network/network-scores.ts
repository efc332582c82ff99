import type { OutputRange } from '../../../src/learn/network/layers/dense.ts';
import { InputLayer } from '../../../src/learn/network/layers/input-layer.ts';
import { directions } from '../../../src/learn/network/layers/lstm.ts';
import { FLOAT, GATES, LANES } from '../../../src/learn/network/layout.ts';
import { type Floats, NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import { Parameters, weightCount } from '../../../src/learn/network/parameters.ts';
import { QuantizedMatrix, quantizedLstm } from '../../../src/learn/network/quantized-matrix.ts';
import type { Choices, TagSet } from '../tag-set.ts';
import { type EncodedWords, FIELDS, Field, FLAG_SETS, formsOf, PAD } from '../words.ts';
import { QuantizedContext, quantizedLayer, WordLayer } from './gate-layers.ts';
import { shapesOf, sizesOf, type TagNetworkSizes, type TrainedNetwork } from './tag-network.ts';
import { FLAGS, UNKNOWN, VALUES } from './word-values.ts';

type Capacity = { readonly rows: number; readonly words: number };

/** Length of a row of gates: both directions. */
const rowLength = (units: number): number => directions.length * GATES * units;
export const rowBytes = (units: number): number => FLOAT * rowLength(units);

/** A trained `TagNetwork`, quantized to 16 bits: nearly three times as fast, scores within a hundredth. */
class QuantizedNetwork {
  readonly words: WordLayer;
  /** Projections of words to the gates of both directions: rows × `length`, to be filled. */
  readonly gates: Floats;
  readonly length: number;
  /** The scores of universal tags: words × `uposLength`. */
  readonly upos: Floats;
  readonly uposLength: number;
  readonly choices: Floats;
  private readonly memory: NetworkMemory;
  private readonly units: number;
  /** The addresses of the two rows of gates of each word. */
  private readonly rowsOf: Uint32Array;
  /** The output of the LSTM: words × 2 units, 16-bit integers. */
  private readonly hidden: Floats;
  /** The addresses of `QuantizedLstmFields`, one for each direction. */
  private readonly lstms: readonly number[];
  private readonly ofUpos: number;
  private readonly ofChoices: number;
  private readonly context: QuantizedContext | undefined;

  constructor(sizes: TagNetworkSizes, weights: Float32Array, { rows, words }: Capacity) {
    const { units, context } = sizes;
    const shapes = shapesOf(sizes);
    const most = padded(sizes.mostChoices + LANES);
    this.units = units;
    this.length = rowLength(units);
    this.uposLength = padded(sizes.upos);
    // Space for the trained weights, and for the quantized ones, which take less.
    const forWords = padded(2 * words) + words * (units + this.uposLength) + (GATES + 1) * units + most;
    const forInputs = InputLayer.width(sizes) + InputLayer.floatCount(sizes, 1);
    const forContext = context === undefined ? 0 : QuantizedContext.floatCount(context, units, words);
    const floats = 2 * (weightCount(shapes) + forInputs) + (rows + 1) * this.length + forContext;
    this.memory = new NetworkMemory(floats + forWords);
    const { memory } = this;
    const parameters = new Parameters(memory, shapes, false);
    parameters.weights.values.set(weights);
    this.words = new WordLayer(memory, parameters, sizes, 1);
    const inputs = memory.take(padded(2 * words));
    this.rowsOf = new Uint32Array(inputs.values.buffer, inputs.at, 2 * words);
    this.hidden = memory.take(units * words);
    const cells = memory.take((GATES + 1) * units);
    this.lstms = directions.map((direction, d) => {
      const matrix = QuantizedMatrix.ofGates(
        memory,
        parameters.matrix(`sentence.${direction}.hidden`),
      ).fill();
      return quantizedLstm(memory, matrix, direction, {
        out: this.hidden.at + (d * units * FLOAT) / 2,
        stride: units * FLOAT,
        inputs: inputs.at,
        offset: d * GATES * units * FLOAT,
        scratch: cells.at,
        size: units,
      });
    });
    [this.ofUpos, this.ofChoices] = ['upos', 'choices'].map((name) =>
      quantizedLayer(memory, parameters, name),
    );
    this.upos = memory.take(this.uposLength * words);
    this.choices = memory.take(most);
    this.gates = memory.take(rows * this.length);
    this.context = context && new QuantizedContext(memory, parameters, context, units, words);
  }

  /** Sets the two rows of gates that are added up for word i. */
  setRows(i: number, first: number, second: number): void {
    const { at } = this.gates;
    this.rowsOf[2 * i] = at + first * this.length * FLOAT;
    this.rowsOf[2 * i + 1] = at + second * this.length * FLOAT;
  }

  /** Reads a sentence whose rows are set. */
  read(words: EncodedWords): void {
    const { kernels } = this.memory;
    const { length } = words;
    if (this.context !== undefined) {
      this.context.read(formsOf(words));
      this.addTo(this.context.gates, length);
    }
    for (const lstm of this.lstms) kernels.quantizedLstm(lstm, length);
    const { upos, uposLength, hidden, ofUpos } = this;
    kernels.quantizedRows(upos.at, uposLength * FLOAT, hidden.at, 0, ofUpos, length, 0, uposLength);
  }

  /** Adds each word's first row to its row of `gates`, and makes this the first row of the word. */
  private addTo(gates: Floats, words: number): void {
    const { rowsOf, length, memory } = this;
    for (let i = 0; i < words; i++) {
      const row = gates.at + i * length * FLOAT;
      memory.kernels.addToRows(row, rowsOf[2 * i], 1, length);
      rowsOf[2 * i] = row;
    }
  }

  /** Scores the outputs of a choice for a word of the sentence last read; returns the index of the first in `choices`. */
  scoreChoices(word: number, { first, count }: OutputRange): number {
    const skipped = first % LANES;
    const x = this.hidden.at + word * this.units * FLOAT;
    const outputs = padded(skipped + count);
    const { choices, ofChoices, memory } = this;
    memory.kernels.quantizedRows(choices.at, 0, x, 0, ofChoices, 1, first - skipped, outputs);
    return skipped;
  }
}

/** Weight of a network's scores if it reads a language model, which the linear models do not. */
const CONTEXT_WEIGHT = 2;
/** The margin of log-odds from which on the network is certain. */
export const CERTAIN = 5;
/** Layout of the rows of gates: a scratch row, one row for each set of flags, then the words. */
const SUM = 0;
const FLAG_ROWS = 1;
const WORD_ROWS = FLAG_ROWS + FLAG_SETS;

/** Scores the tags of a sentence by the network; caches the projections of words to the gates. */
export class NetworkScores {
  private readonly network: QuantizedNetwork;
  /** Factor from the network's log-odds to the scale of the other scores. */
  private readonly factor: number;
  private readonly upos: number;
  private readonly units: number;
  private readonly isKnown: Uint8Array;
  /** The embedded values and form of the word whose row is being filled. */
  private readonly values = new Int32Array(VALUES);
  private readonly form = [''];
  /** The margin from which on the network is certain. */
  readonly certain: number;

  /** @param certain the margin from which on the network is certain, on the scale of the other scores */
  constructor(
    private readonly trained: TrainedNetwork,
    tags: TagSet,
    { different, together }: { readonly different: number; readonly together: number },
    certain: number,
  ) {
    const sizes = sizesOf(trained, tags);
    this.certain = sizes.context === undefined ? certain : CONTEXT_WEIGHT * certain;
    this.factor = this.certain / CERTAIN;
    const rows = WORD_ROWS + different;
    this.network = new QuantizedNetwork(sizes, trained.weights, { rows, words: together });
    this.upos = tags.upos.length;
    this.units = trained.units;
    this.isKnown = new Uint8Array(rows);
  }

  /** Clears the cache, before word numbers are reused for other words. */
  clearCache(): void {
    this.isKnown.fill(0, WORD_ROWS);
  }

  read(words: EncodedWords): void {
    const { data, length, forms } = words;
    for (let i = 0; i < length; i++) {
      const at = (PAD + i) * FIELDS;
      this.network.setRows(i, this.wordAt(data, at, forms), this.flagsAt(data[at + Field.flags]));
    }
    this.network.read(words);
  }

  addUpos(i: number, scores: Float64Array): void {
    const { upos, uposLength } = this.network;
    const start = i * uposLength;
    for (let c = 0; c < this.upos; c++) scores[c] += this.factor * upos.values[start + c];
  }

  addChoices(i: number, choices: Choices, scores: Float64Array): void {
    const start = this.network.scoreChoices(i, choices);
    const { values } = this.network.choices;
    for (let c = 0; c < choices.count; c++) scores[c] += this.factor * values[start + c];
  }

  private wordAt(data: Int32Array, at: number, forms: readonly string[]): number {
    const row = WORD_ROWS + data[at + Field.number];
    if (this.isKnown[row] === 1) return row;
    this.trained.values.fill(data, at, this.values, 0);
    this.values[FLAGS] = UNKNOWN;
    this.form[0] = forms[data[at + Field.word]];
    this.fillRow(row);
    return row;
  }

  /** The row of a set of flags: its gates minus the gates of unknown flags. */
  private flagsAt(flags: number): number {
    const row = FLAG_ROWS + flags;
    if (this.isKnown[row] === 1) return row;
    this.values.fill(UNKNOWN);
    this.form[0] = '';
    this.fillRow(SUM);
    this.values[FLAGS] = this.trained.values.numberOf(FLAGS, flags);
    this.fillRow(row);
    const { gates, length } = this.network;
    for (let k = 0; k < length; k++) gates.values[row * length + k] -= gates.values[SUM * length + k];
    return row;
  }

  private fillRow(row: number): void {
    const { words, gates, length } = this.network;
    const width = 4 * this.units;
    words.forward({ tokens: 1, values: this.values, forms: this.form });
    for (let d = 0; d < directions.length; d++)
      gates.values.set(words.gates[d].values, row * length + d * width);
    this.isKnown[row] = 1;
  }
}
