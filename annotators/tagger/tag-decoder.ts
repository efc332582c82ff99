import { exponential } from '../../src/learn/exponential.ts';
import { type FeatureNumbers, MOST_FEATURES, type SentenceFeatures, Side } from './features.ts';
import type { NetworkScores } from './network/network-scores.ts';
import { addShared, type Choices, type Lexicon, NOT_FIXED, TagChoices, type TagSet } from './tag-set.ts';
import { morphologyStart, type TagWeights, ViewScores } from './tag-weights.ts';
import { type EncodedWords, entryOf } from './words.ts';

/** For decisions by the network alone, without neighbouring tags. */
export const NO_SIDES: readonly Side[] = [];

/** The parameters of the two passes of a tagger. */
export interface TaggerParameters {
  readonly tags: TagSet;
  readonly lexicon: Lexicon;
  readonly features: FeatureNumbers;
  readonly weights: TagWeights;
}

/** The best candidate, and its margin over the second best. */
type Best = { readonly best: number; readonly margin: number };
/** A predicted bundle, the margin of its universal tag, and the smaller of the margins of its pair and bundle. */
type ChosenBundle = { readonly bundle: number; readonly uposMargin: number; readonly marginBelow: number };

/** Predicts a word's bundle greedily down the tag tree: the best UPOS, then the best pair below it, then the best bundle. */
export class TagDecoder {
  /** Scores of the universal tags: words × 2 passes × tags; integers if the weights are. */
  upos: Int32Array | Float64Array;
  /** Temperature of the softmax over scores; undefined: probabilities are not computed. */
  temperature: number | undefined;
  /** The probability of the last word's universal tag, and of its pair and bundle; undefined if a known bundle was kept. */
  uposProbability = 1;
  probabilityBelow: number | undefined;
  readonly scores: Float64Array;
  readonly choices: TagChoices;
  private readonly viewScores: ViewScores;
  private readonly tags: TagSet;
  private readonly lexicon: Lexicon;
  private readonly weights: TagWeights;
  private readonly size: number;
  private readonly text: number;
  private readonly mask: number;

  constructor(
    { tags, lexicon, features, weights }: TaggerParameters,
    private readonly sentence: SentenceFeatures,
    private readonly network?: NetworkScores,
  ) {
    this.tags = tags;
    this.lexicon = lexicon;
    this.weights = weights;
    this.size = tags.upos.length;
    this.text = features.text;
    this.mask = weights.morphology.length - 1;
    this.choices = new TagChoices(tags);
    this.scores = new Float64Array(Math.max(this.choices.most, tags.upos.length));
    this.viewScores = new ViewScores(sentence.views, weights.upos, 2 * this.size);
    this.upos = this.zeroScores(1);
  }

  reset(length: number): void {
    if (2 * length * this.size > this.upos.length) this.upos = this.zeroScores(2 * length);
    this.upos.fill(0, 0, 2 * length * this.size);
  }

  private zeroScores(length: number): Int32Array | Float64Array {
    const size = 2 * length * this.size;
    return this.weights.upos instanceof Int16Array ? new Int32Array(size) : new Float64Array(size);
  }

  addTextFeatures(words: EncodedWords, i: number): void {
    const { upos, sentence } = this;
    const weights = this.weights.upos;
    const size = 2 * this.size;
    const at = i * size;
    const summed = sentence.addTextFeatures(words, i);
    this.viewScores.add(words, i, upos, at);
    const { rows, counts } = sentence;
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let k = start + summed; k < end; k++) {
      const first = rows[k] * size;
      for (let c = 0; c < size; c++) upos[at + c] += weights[first + c];
    }
  }

  addTagFeatures(words: EncodedWords, i: number, bundles: Int32Array, side: Side): void {
    const known = this.sentence.counts[i];
    this.sentence.addTagFeatures(words, i, bundles, side);
    this.addUpos(i, known, side, this.upos, this.scoresAt(i, side));
  }

  scoreUpos(i: number, side: Side): void {
    this.scores.fill(0, 0, this.size);
    this.addUpos(i, 0, side, this.scores, 0);
  }

  private addUpos(i: number, from: number, side: Side, target: Int32Array | Float64Array, at: number): void {
    const { rows, counts } = this.sentence;
    const weights = this.weights.upos;
    const size = this.size;
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let k = start + from; k < end; k++) {
      const first = this.weightsAt(rows[k], side);
      for (let c = 0; c < size; c++) target[at + c] += weights[first + c];
    }
  }

  private scoresAt(i: number, side: Side): number {
    return (2 * i + (side === Side.after ? 0 : 1)) * this.size;
  }

  /** The index of a feature's first weight for universal tags, in the pass that reads the tags on this side. */
  weightsAt(row: number, side: Side): number {
    const place = row < this.text ? 2 * row + (side === Side.after ? 0 : 1) : row + this.text;
    return place * this.size;
  }

  /**
   * Predicts the bundle of word i by the text, the tags on these sides and the network; without any side, by the network alone.
   * @param given the universal tag, if it is known; else `NOT_FIXED`
   * @param known the bundle to return if its UPOS is the best one
   */
  bundle(
    words: EncodedWords,
    i: number,
    sides: readonly Side[],
    given: number,
    known = NOT_FIXED,
  ): ChosenBundle {
    this.sumUpos(i, sides);
    const { best, margin } =
      given === NOT_FIXED ? this.bestUpos() : { best: given, margin: Number.POSITIVE_INFINITY };
    this.uposProbability = this.probabilityOf(best, this.size);
    this.probabilityBelow = undefined;
    if (known !== NOT_FIXED && this.tags.uposOfBundle[known] === best)
      return { bundle: known, uposMargin: margin, marginBelow: Number.POSITIVE_INFINITY };
    const { bundle, marginBelow } = this.bundleOfUpos(best, words, i, sides);
    return { bundle, uposMargin: margin, marginBelow };
  }

  /** The best universal tag by the last scores; ties: the first seen in training. */
  bestUpos(): Best {
    return this.bestOf(this.size);
  }

  /** The universal tags of word i, the best first; ties: the first seen in training. */
  scoredUpos(i: number, sides: readonly Side[]): { readonly upos: number; readonly score: number }[] {
    this.sumUpos(i, sides);
    const scored = Array.from(this.scores.subarray(0, this.size), (score, upos) => ({ upos, score }));
    return scored.sort((a, b) => b.score - a.score);
  }

  private sumUpos(i: number, sides: readonly Side[]): void {
    const { scores, upos } = this;
    scores.fill(0, 0, this.size);
    for (let s = 0; s < sides.length; s++) {
      const at = this.scoresAt(i, sides[s]);
      for (let c = 0; c < this.size; c++) scores[c] += upos[at + c];
    }
    this.network?.addUpos(i, scores);
  }

  /** The bundle of word i below a universal tag: the one fixed by the lexicon, or the best. */
  bundleOfUpos(upos: number, words: EncodedWords, i: number, sides: readonly Side[]) {
    this.probabilityBelow = 1;
    const fixed = this.lexicon.fixedBundleOfUpos(entryOf(words, i), upos, this.size);
    if (fixed !== NOT_FIXED) return { bundle: fixed, marginBelow: Number.POSITIVE_INFINITY };
    const pair = this.choose(this.choices.pairs[upos], i, sides);
    const { best, margin } = this.choose(this.choices.bundles[pair.best], i, sides);
    return { bundle: best, marginBelow: Math.min(pair.margin, margin) };
  }

  /** The best member of a choice: by the network alone if it is certain, else by all scores. */
  private choose(choices: Choices, i: number, sides: readonly Side[]): Best {
    const { members } = choices;
    if (members.length === 1) return { best: members[0], margin: Number.POSITIVE_INFINITY };
    if (this.network !== undefined) {
      this.scoreChoices(choices, i, NO_SIDES);
      const { best, margin } = this.bestOf(members.length);
      if (sides.length === 0 || margin >= this.network.certain) return this.chosen(members, best, margin);
    }
    this.scoreChoices(choices, i, sides);
    const { best, margin } = this.bestOf(members.length);
    return this.chosen(members, best, margin);
  }

  private chosen(members: readonly number[], best: number, margin: number): Best {
    this.probabilityBelow! *= this.probabilityOf(best, members.length);
    return { best: members[best], margin };
  }

  /** The softmax probability by the last scores; 1 without a temperature. */
  private probabilityOf(best: number, length: number): number {
    const { temperature, scores } = this;
    if (temperature === undefined) return 1;
    let sum = 0;
    for (let c = 0; c < length; c++) sum += exponential((scores[c] - scores[best]) / temperature);
    return 1 / sum;
  }

  /** Scores the members of a choice by all features of word i; the scores of shared features follow them. */
  scoreChoices(choices: Choices, i: number, sides: readonly Side[]): void {
    const { members, sharing, first, count } = choices;
    const { scores } = this;
    const { rows, counts } = this.sentence;
    const weights = this.weights.morphology;
    const mask = this.mask;
    const start = i * MOST_FEATURES;
    const end = sides.length === 0 ? start : start + counts[i];
    scores.fill(0, 0, count);
    for (let k = start; k < end; k++) {
      const at = this.choiceAt(rows[k], first, sides[0]);
      const isInBoth = sides.length > 1 && rows[k] < this.text;
      for (let c = 0; c < count; c++) {
        const weight = (at + 2 * c) & mask;
        scores[c] += isInBoth ? weights[weight] + weights[weight + 1] : weights[weight];
      }
    }
    this.network?.addChoices(i, choices, scores);
    addShared(scores, members.length, sharing);
  }

  /** The index of a feature's weight for the first member, in the pass that reads the tags on this side; the next is at + 2. */
  choiceAt(row: number, first: number, side: Side): number {
    const place = morphologyStart(row) + 2 * first;
    return row < this.text && side === Side.before ? place + 1 : place;
  }

  /** The best of the first `length` scores; ties: the first. */
  private bestOf(length: number): Best {
    const { scores } = this;
    let best = 0;
    let next = Number.NEGATIVE_INFINITY;
    for (let c = 1; c < length; c++) {
      if (scores[c] > scores[best]) {
        next = scores[best];
        best = c;
      } else if (scores[c] > next) next = scores[c];
    }
    return { best, margin: scores[best] - next };
  }
}
