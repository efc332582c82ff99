import { directions } from '../../../src/learn/network/layers/recurrence.ts';
import { type Choices, TagChoices } from '../choices.ts';
import type { TagSet } from '../tag-set.ts';
import { FIELDS, Field, FLAG_SETS, PAD, type Words } from '../words.ts';
import type { LearntNetwork } from './learnt-network.ts';
import { RoundedNetwork } from './rounded-network.ts';
import { sizesOf } from './tag-network.ts';
import { FLAGS, UNKNOWN, VALUES } from './word-values.ts';

/** How much better than the next best what is certain is, in natural logarithms. */
export const CERTAIN = 5;

/** Of the rows of gates the first is for adding up, those of sets of flags come next, then those of words. */
const SUM = 0;
const FLAG_ROWS = 1;
const WORD_ROWS = FLAG_ROWS + FLAG_SETS;

/** How many words there can be: different ones, by number, and those that are read at a time. */
export interface MostWords {
  readonly different: number;
  readonly together: number;
}

/**
 * The scores that a network gives to the tags of a sentence. What a word adds to the gates does not depend on the sentence,
 * but for its flags, which add their own share: each is computed once and remembered.
 */
export class NetworkScores {
  private readonly network: RoundedNetwork;
  /** What its scores are multiplied by. */
  private readonly factor: number;
  /** How many universal tags there are. */
  private readonly upos: number;
  private readonly units: number;
  private readonly isKnown: Uint8Array;
  private readonly values = new Int32Array(VALUES);

  /** @param certain how much better than the next best what is certain is, by scores in the unit of others */
  constructor(
    private readonly learnt: LearntNetwork,
    tags: TagSet,
    { different, together }: MostWords,
    readonly certain: number,
  ) {
    this.factor = certain / CERTAIN;
    const { units, values, weights } = learnt;
    const sizes = { fields: values.fields, units, ...sizesOf(tags, new TagChoices(tags)) };
    const rows = WORD_ROWS + different;
    this.network = new RoundedNetwork(sizes, weights, { rows, words: together });
    this.upos = tags.upos.length;
    this.units = units;
    this.isKnown = new Uint8Array(rows);
  }

  /** Forgets the words that it remembers, whose numbers others will have. */
  forget(): void {
    this.isKnown.fill(0, WORD_ROWS);
  }

  /** Reads a sentence, or a piece of one. */
  read({ data, length }: Words): void {
    for (let i = 0; i < length; i++) {
      const at = (PAD + i) * FIELDS;
      this.network.setRows(i, this.wordAt(data, at), this.flagsAt(data[at + Field.flags]));
    }
    this.network.read(length);
  }

  /** Adds those of the universal tags of word i. */
  addUpos(i: number, scores: Float64Array): void {
    const { upos, uposLength } = this.network;
    const start = i * uposLength;
    for (let c = 0; c < this.upos; c++) scores[c] += this.factor * upos.values[start + c];
  }

  /** Adds those of what word i has to choose from. */
  addChoices(i: number, choices: Choices, scores: Float64Array): void {
    const start = this.network.scoreChoices(i, choices);
    const { values } = this.network.choices;
    for (let c = 0; c < choices.count; c++) scores[c] += this.factor * values[start + c];
  }

  /** The row of the gates of a word, as they are without any flags known. */
  private wordAt(data: Int32Array, at: number): number {
    const row = WORD_ROWS + data[at + Field.number];
    if (this.isKnown[row] === 1) return row;
    this.learnt.values.fill(data, at, this.values, 0);
    this.values[FLAGS] = UNKNOWN;
    this.fillRow(row);
    return row;
  }

  /** The row of what is added for some flags: what makes the difference to none that are known. */
  private flagsAt(flags: number): number {
    const row = FLAG_ROWS + flags;
    if (this.isKnown[row] === 1) return row;
    this.values.fill(UNKNOWN);
    this.fillRow(SUM);
    this.values[FLAGS] = this.learnt.values.numberOf(FLAGS, flags);
    this.fillRow(row);
    const { gates, length } = this.network;
    for (let k = 0; k < length; k++) gates.values[row * length + k] -= gates.values[SUM * length + k];
    return row;
  }

  /** Fills a row with what the values add to the gates. */
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
