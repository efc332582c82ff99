import type { Part } from '../../../src/learn/network/layers/partial-dense.ts';
import { directions } from '../../../src/learn/network/layers/recurrence.ts';
import { FLOAT, type Floats, LANES, NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import { type Matrix, Parameters } from '../../../src/learn/network/parameters.ts';
import { RoundedMatrix } from '../../../src/learn/network/rounded-matrix.ts';
import { WordLayer } from './layers.ts';
import { shapesOf, type TagNetworkSizes } from './tag-network.ts';

/** How much a network is to have room for: rows of gates, and words of a sentence. */
export interface Room {
  readonly rows: number;
  readonly words: number;
}

/**
 * A `TagNetwork` that has learnt, for tagging only: what reads the sentence, and what is scored by it, is multiplied in
 * whole numbers of 16 bits, which is nearly three times as fast. Its scores differ by less than a hundredth.
 */
export class RoundedNetwork {
  /** What words add to the gates, one word at a time. */
  readonly words: WordLayer;
  /** Rows of what is added to the gates of both directions, of `length` numbers each: to be filled, and kept. */
  readonly gates: Floats;
  readonly length: number;
  /** Of each word a row of the scores of universal tags, of `uposLength` numbers. */
  readonly upos: Floats;
  readonly uposLength: number;
  /** The scores of the choices last asked for. */
  readonly choices: Floats;
  private readonly memory: NetworkMemory;
  private readonly units: number;
  /** Of each word which two rows are added for it: their addresses. */
  private readonly inputs: Floats;
  private readonly rowsOf: Uint32Array;
  /** Of each word 2 `units` whole numbers of 16 bits: what comes out of the recurrent layer. */
  private readonly hidden: Floats;
  /** Room to work with. */
  private readonly room: Floats;
  private readonly recurrences: readonly RoundedMatrix[];
  private readonly ofUpos: RoundedLayer;
  private readonly ofChoices: RoundedLayer;

  /** @param weights those of `TagNetwork.parameters` */
  constructor(sizes: TagNetworkSizes, weights: Float32Array, { rows, words }: Room) {
    const { units } = sizes;
    const shapes = shapesOf(sizes);
    const most = padded(sizes.mostChoices + LANES);
    this.units = units;
    this.length = directions.length * 4 * units;
    this.uposLength = padded(sizes.upos);
    // Weights are there as they were learnt, too: what is rounded is less than that.
    const forWords = padded(2 * words) + words * (units + this.uposLength) + 5 * units + most;
    const room = 2 * Parameters.room(shapes, false) + WordLayer.room(sizes, 1, false);
    this.memory = new NetworkMemory(room + rows * this.length + forWords);
    const memory = this.memory;
    const parameters = new Parameters(memory, shapes, false);
    parameters.weights.values.set(weights);
    this.words = new WordLayer(memory, parameters, sizes, 1, false);
    this.recurrences = directions.map((direction) =>
      RoundedMatrix.ofGates(memory, parameters.matrix(`sentence.${direction}.hidden`)),
    );
    this.ofUpos = new RoundedLayer(memory, parameters, 'upos');
    this.ofChoices = new RoundedLayer(memory, parameters, 'choices');
    this.inputs = memory.take(padded(2 * words));
    this.rowsOf = new Uint32Array(this.inputs.values.buffer, this.inputs.at, 2 * words);
    this.hidden = memory.take(units * words);
    this.room = memory.take(5 * units);
    this.upos = memory.take(this.uposLength * words);
    this.choices = memory.take(most);
    this.gates = memory.take(rows * this.length);
  }

  /** Says which two rows of gates are added up for word i. */
  setRows(i: number, first: number, second: number): void {
    const { at } = this.gates;
    this.rowsOf[2 * i] = at + first * this.length * FLOAT;
    this.rowsOf[2 * i + 1] = at + second * this.length * FLOAT;
  }

  /** Reads a sentence of so many words, whose rows have been set, and scores their universal tags. */
  read(words: number): void {
    const units = this.units;
    const { kernels } = this.memory;
    const outStride = units * FLOAT;
    for (let d = 0; d < directions.length; d++) {
      const { at, scales } = this.recurrences[d];
      kernels.roundedRecur(
        this.hidden.at + (d * outStride) / 2,
        outStride,
        this.inputs.at,
        d * 4 * units * FLOAT,
        this.room.at,
        at,
        scales.at,
        words,
        units,
        directions[d] === 'backward' ? 1 : 0,
      );
    }
    this.ofUpos.forward(this.upos, this.hidden.at, words, { first: 0, count: this.uposLength });
  }

  /** Scores pairs, or bundles, for a word of the sentence last read; returns the place of the first in `choices`. */
  scoreChoices(word: number, { first, count }: Part): number {
    const skipped = first % LANES;
    const part = { first: first - skipped, count: padded(skipped + count) };
    this.ofChoices.forward(this.choices, this.hidden.at + word * this.units * FLOAT, 1, part);
    return skipped;
  }
}

/** A dense layer that reads whole numbers. */
class RoundedLayer {
  private readonly weights: RoundedMatrix;
  private readonly bias: Matrix;
  private readonly columns: number;

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
  ) {
    const weights = parameters.matrix(`${name}.weights`);
    this.bias = parameters.matrix(`${name}.bias`);
    this.columns = weights.columns;
    this.weights = RoundedMatrix.ofRows(memory, weights);
  }

  /** Fills `out` for the rows of x that begin at an address; both numbers of the part are multiples of four. */
  forward(out: Floats, x: number, rows: number, { first, count }: Part): void {
    const { columns, bias } = this;
    const { at, scales } = this.weights;
    this.memory.kernels.roundedProduct(
      out.at,
      x,
      at + RoundedMatrix.bytesOf(first, columns),
      scales.at + first * FLOAT,
      bias.at + first * FLOAT,
      rows,
      columns,
      count,
    );
  }
}
