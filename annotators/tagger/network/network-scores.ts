import { directions } from '../../../src/learn/network/layers/recurrence.ts';
import { type Choices, TagChoices } from '../choices.ts';
import type { TagSet } from '../tag-set.ts';
import { FIELDS, Field, FLAG_SETS, PAD, type Words } from '../words.ts';
import type { LearntNetwork } from './learnt-network.ts';
import { sizesOf, TagNetwork } from './tag-network.ts';
import { FLAGS, UNKNOWN, VALUES } from './word-values.ts';

/** How much better than the next best what is certain is, in natural logarithms. */
export const CERTAIN = 5;

/** Words whose gates there is room for at first. */
const ROOM = 1024;

/**
 * The scores that a network gives to the tags of a sentence. What a word adds to the gates does not depend on the sentence,
 * but for its flags, which add their own share: each is computed once and remembered.
 */
export class NetworkScores {
  readonly #network: TagNetwork;
  /** What its scores are multiplied by. */
  readonly #factor: number;
  /** How many universal tags there are. */
  readonly #upos: number;
  /** Of a word, or a set of flags, so many numbers: the gates of both directions. */
  readonly #length: number;
  readonly #units: number;
  #ofWords: Float32Array;
  #isKnown = new Uint8Array(ROOM);
  readonly #ofFlags: Float32Array;
  readonly #areFlagsKnown = new Uint8Array(FLAG_SETS);
  readonly #values = new Int32Array(VALUES);

  /**
   * @param words the most words that are read at a time
   * @param certain how much better than the next best what is certain is, by scores in the unit of others
   */
  constructor(
    private readonly learnt: LearntNetwork,
    tags: TagSet,
    words: number,
    readonly certain: number,
  ) {
    this.#factor = certain / CERTAIN;
    const { units, values, weights } = learnt;
    const sizes = { fields: values.fields, units, ...sizesOf(tags, new TagChoices(tags)) };
    this.#network = new TagNetwork(sizes, { different: 1, words }, false);
    this.#network.parameters.weights.values.set(weights);
    this.#upos = tags.upos.length;
    this.#units = units;
    this.#length = directions.length * 4 * units;
    this.#ofWords = new Float32Array(ROOM * this.#length);
    this.#ofFlags = new Float32Array(FLAG_SETS * this.#length);
  }

  /** Forgets the words that it remembers, whose numbers others will have. */
  forget(): void {
    this.#isKnown.fill(0);
  }

  /** Reads a sentence, or a piece of one. */
  read(words: Words): void {
    const { data, length } = words;
    for (let i = 0; i < length; i++) {
      const at = (PAD + i) * FIELDS;
      const ofWord = this.#wordAt(data, at);
      this.#fillGates(i, ofWord, this.#flagsAt(data[at + Field.flags]));
    }
    this.#network.read(length);
  }

  /** Fills the gates of word i by what begins at these places. */
  #fillGates(i: number, ofWord: number, ofFlags: number): void {
    const width = 4 * this.#units;
    const [words, flags] = [this.#ofWords, this.#ofFlags];
    const { recurrences } = this.#network.sentence;
    for (let d = 0; d < recurrences.length; d++) {
      const gates = recurrences[d].gates.values;
      const [start, word, flag] = [i * width, ofWord + d * width, ofFlags + d * width];
      for (let k = 0; k < width; k++) gates[start + k] = words[word + k] + flags[flag + k];
    }
  }

  /** Adds those of the universal tags of word i. */
  addUpos(i: number, scores: Float64Array): void {
    const { scores: all, length } = this.#network.upos;
    const start = i * length;
    for (let c = 0; c < this.#upos; c++) scores[c] += this.#factor * all.values[start + c];
  }

  /** Adds those of what word i has to choose from. */
  addChoices(i: number, choices: Choices, scores: Float64Array): void {
    const values = this.#network.scoreChoices(i, choices);
    for (let c = 0; c < choices.count; c++) scores[c] += this.#factor * values[c];
  }

  /** Where the gates of a word begin, as they are without any flags known. */
  #wordAt(data: Int32Array, at: number): number {
    const number = data[at + Field.number];
    if (number >= this.#isKnown.length) this.#grow(2 * number);
    const start = number * this.#length;
    if (this.#isKnown[number] === 1) return start;
    this.learnt.values.fill(data, at, this.#values, 0);
    this.#values[FLAGS] = UNKNOWN;
    this.#addGates(this.#ofWords.fill(0, start, start + this.#length), start, 1);
    this.#isKnown[number] = 1;
    return start;
  }

  /** Where begins what is added for some flags: what makes the difference to none that are known. */
  #flagsAt(flags: number): number {
    const start = flags * this.#length;
    if (this.#areFlagsKnown[flags] === 1) return start;
    this.#values.fill(UNKNOWN);
    this.#addGates(this.#ofFlags, start, -1);
    this.#values[FLAGS] = this.learnt.values.numberOf(FLAGS, flags);
    this.#addGates(this.#ofFlags, start, 1);
    this.#areFlagsKnown[flags] = 1;
    return start;
  }

  /** Adds what the values add to the gates, times a sign. */
  #addGates(target: Float32Array, start: number, sign: number): void {
    const { words } = this.#network;
    const width = 4 * this.#units;
    words.forward(this.#values, 1);
    for (let d = 0; d < directions.length; d++) {
      const gates = words.gates[d].values;
      for (let k = 0; k < width; k++) target[start + d * width + k] += sign * gates[k];
    }
  }

  #grow(words: number): void {
    const [ofWords, isKnown] = [this.#ofWords, this.#isKnown];
    this.#ofWords = new Float32Array(words * this.#length);
    this.#ofWords.set(ofWords);
    this.#isKnown = new Uint8Array(words);
    this.#isKnown.set(isKnown);
  }
}
