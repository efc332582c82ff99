import type { OutputRange } from '../../../src/learn/network/layers/dense.ts';
import { widthOf } from '../../../src/learn/network/layers/embeddings.ts';
import { directions } from '../../../src/learn/network/layers/lstm.ts';
import {
  FLOAT,
  GATES,
  LANES,
  QuantizedDenseFields,
  QuantizedLstmFields,
} from '../../../src/learn/network/layout.ts';
import { type Floats, NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import { Parameters, weightCount } from '../../../src/learn/network/parameters.ts';
import { QuantizedMatrix } from '../../../src/learn/network/quantized-matrix.ts';
import { WordLayer } from './layers.ts';
import { shapesOf, type TagNetworkSizes } from './tag-network.ts';

export interface Room {
  readonly rows: number;
  readonly words: number;
}

/**
 * A trained `TagNetwork` for tagging: the recurrent weights and those of the outputs are quantized to 16 bits, which is nearly
 * three times as fast. Scores differ by less than a hundredth.
 */
export class QuantizedNetwork {
  /** Computes what a word adds to the gates, one word at a time. */
  readonly words: WordLayer;
  /** Rows that are added to the gates of both directions, of `length` numbers each: to be filled. */
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
  /** The output of the LSTM: words × 2 units, in 16 bits. */
  private readonly hidden: Floats;
  /** The addresses of `QuantizedLstmFields`, one for each direction. */
  private readonly lstms: readonly number[];
  /** The addresses of `QuantizedDenseFields`. */
  private readonly ofUpos: number;
  private readonly ofChoices: number;

  /** @param weights the weights of `TagNetwork.parameters` */
  constructor(sizes: TagNetworkSizes, weights: Float32Array, { rows, words }: Room) {
    const { units } = sizes;
    const shapes = shapesOf(sizes);
    const most = padded(sizes.mostChoices + LANES);
    this.units = units;
    this.length = directions.length * GATES * units;
    this.uposLength = padded(sizes.upos);
    // The trained weights are kept, too; quantized, with their scales, they take less than that.
    const forWords = padded(2 * words) + words * (units + this.uposLength) + (GATES + 1) * units + most;
    const room = 2 * (weightCount(shapes) + widthOf(sizes.fields)) + (rows + 1) * this.length;
    this.memory = new NetworkMemory(room + forWords);
    const { memory } = this;
    const parameters = new Parameters(memory, shapes, false);
    parameters.weights.values.set(weights);
    this.words = new WordLayer(memory, parameters, sizes, 1, false);
    const inputs = memory.take(padded(2 * words));
    this.rowsOf = new Uint32Array(inputs.values.buffer, inputs.at, 2 * words);
    this.hidden = memory.take(units * words);
    const cells = memory.take((GATES + 1) * units);
    this.lstms = directions.map((direction, d) => {
      const matrix = QuantizedMatrix.ofGates(memory, parameters.matrix(`sentence.${direction}.hidden`));
      return memory.struct(QuantizedLstmFields, {
        out: this.hidden.at + (d * units * FLOAT) / 2,
        stride: units * FLOAT,
        inputs: inputs.at,
        offset: d * GATES * units * FLOAT,
        room: cells.at,
        weights: matrix.at,
        scales: matrix.scales.at,
        size: units,
        isBackward: direction === 'backward' ? 1 : 0,
      });
    });
    [this.ofUpos, this.ofChoices] = ['upos', 'choices'].map((name) => this.quantized(parameters, name));
    this.upos = memory.take(this.uposLength * words);
    this.choices = memory.take(most);
    this.gates = memory.take(rows * this.length);
  }

  private quantized(parameters: Parameters, name: string): number {
    const weights = parameters.matrix(`${name}.weights`);
    const { at, scales } = QuantizedMatrix.ofRows(this.memory, weights);
    return this.memory.struct(QuantizedDenseFields, {
      weights: at,
      scales: scales.at,
      bias: parameters.matrix(`${name}.bias`).at,
      inner: weights.columns,
    });
  }

  /** Sets the two rows of gates that are added up for word i. */
  setRows(i: number, first: number, second: number): void {
    const { at } = this.gates;
    this.rowsOf[2 * i] = at + first * this.length * FLOAT;
    this.rowsOf[2 * i + 1] = at + second * this.length * FLOAT;
  }

  /** Reads a sentence of so many words, whose rows have been set, and scores their universal tags. */
  read(words: number): void {
    const { kernels } = this.memory;
    for (const lstm of this.lstms) kernels.quantizedLstm(lstm, words);
    kernels.quantizedDense(this.upos.at, this.hidden.at, this.ofUpos, words, 0, this.uposLength);
  }

  /** Scores the outputs of a choice for a word of the sentence last read; returns the index of the first in `choices`. */
  scoreChoices(word: number, { first, count }: OutputRange): number {
    const skipped = first % LANES;
    const x = this.hidden.at + word * this.units * FLOAT;
    const { kernels } = this.memory;
    kernels.quantizedDense(this.choices.at, x, this.ofChoices, 1, first - skipped, padded(skipped + count));
    return skipped;
  }
}
