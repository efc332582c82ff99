import { directions } from '../../../src/learn/network/layers/lstm.ts';
import { type Choices, TagChoices, type TagSet } from '../tag-set.ts';
import { type EncodedWords, FIELDS, Field, FLAG_SETS, PAD } from '../words.ts';
import { QuantizedNetwork } from './quantized-network.ts';
import { sizesOf, type TrainedNetwork } from './tag-network.ts';
import { FLAGS, UNKNOWN, VALUES } from './word-values.ts';

/** The margin of log-odds from which on the network is certain. */
export const CERTAIN = 5;

/** Rows of gates: one to work with, then one for each set of flags, then the words. */
const SUM = 0;
const FLAG_ROWS = 1;
const WORD_ROWS = FLAG_ROWS + FLAG_SETS;

/** The most different words, by number, and the most words read at a time. */
export interface MostWords {
  readonly different: number;
  readonly together: number;
}

/**
 * The scores that a trained network gives to the tags of a sentence. What a word adds to the gates does not depend on the
 * sentence but for its flags, which have a row of their own: each row is computed once and remembered.
 */
export class NetworkScores {
  private readonly network: QuantizedNetwork;
  /** From the network's log-odds to the unit of the other scores. */
  private readonly factor: number;
  private readonly upos: number;
  private readonly units: number;
  private readonly isKnown: Uint8Array;
  private readonly values = new Int32Array(VALUES);

  /** @param certain the margin from which on the network is certain, in the unit of the other scores */
  constructor(
    private readonly trained: TrainedNetwork,
    tags: TagSet,
    { different, together }: MostWords,
    readonly certain: number,
  ) {
    this.factor = certain / CERTAIN;
    const { units, values, weights } = trained;
    const sizes = { fields: values.fields, units, ...sizesOf(tags, new TagChoices(tags)) };
    const rows = WORD_ROWS + different;
    this.network = new QuantizedNetwork(sizes, weights, { rows, words: together });
    this.upos = tags.upos.length;
    this.units = units;
    this.isKnown = new Uint8Array(rows);
  }

  /** Forgets the words, before their numbers are given to others. */
  forget(): void {
    this.isKnown.fill(0, WORD_ROWS);
  }

  read({ data, length }: EncodedWords): void {
    for (let i = 0; i < length; i++) {
      const at = (PAD + i) * FIELDS;
      this.network.setRows(i, this.wordAt(data, at), this.flagsAt(data[at + Field.flags]));
    }
    this.network.read(length);
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

  /** The row of a word, with its flags unknown. */
  private wordAt(data: Int32Array, at: number): number {
    const row = WORD_ROWS + data[at + Field.number];
    if (this.isKnown[row] === 1) return row;
    this.trained.values.fill(data, at, this.values, 0);
    this.values[FLAGS] = UNKNOWN;
    this.fillRow(row);
    return row;
  }

  /** The row of a set of flags: the difference to unknown flags. */
  private flagsAt(flags: number): number {
    const row = FLAG_ROWS + flags;
    if (this.isKnown[row] === 1) return row;
    this.values.fill(UNKNOWN);
    this.fillRow(SUM);
    this.values[FLAGS] = this.trained.values.numberOf(FLAGS, flags);
    this.fillRow(row);
    const { gates, length } = this.network;
    for (let k = 0; k < length; k++) gates.values[row * length + k] -= gates.values[SUM * length + k];
    return row;
  }

  /** Fills a row with what the current values add to the gates. */
  private fillRow(row: number): void {
    const { words, gates, length } = this.network;
    const width = 4 * this.units;
    words.forward(this.values, 1);
    for (let d = 0; d < directions.length; d++) {
      gates.values.set(words.gates[d].values, row * length + d * width);
    }
    this.isKnown[row] = 1;
  }
}
