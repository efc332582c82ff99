import { addParts, type Choices, TagChoices } from './choices.ts';
import { type Evidence, MOST_FEATURES } from './evidence.ts';
import type { FeatureNumbers } from './features/feature-numbers.ts';
import { Side } from './features/tag-features.ts';
import { type Lexicon, UNSETTLED } from './lexicon.ts';
import type { NetworkScores } from './network/network-scores.ts';
import type { TagSet } from './tag-set.ts';
import { morphologyStart, type TagWeights } from './tag-weights.ts';
import { ViewScores } from './view-scores.ts';
import { entryOf, type Words } from './words.ts';

/** Where nothing is looked at but what the network has read. */
export const NO_SIDES: readonly Side[] = [];

/** What tags are chosen by. */
export interface Knowledge {
  readonly tags: TagSet;
  readonly lexicon: Lexicon;
  readonly features: FeatureNumbers;
  readonly weights: TagWeights;
}

/** The way down the tree of tags by the evidence for them, the best choice at every step. */
export class Descent {
  /**
   * Of each word the scores of the universal tags by its text and the tags after it, then those by its text and the
   * tags before it: whole numbers where the weights are.
   */
  upos: Int32Array | Float64Array;
  /** The scores of the choices at the last step. */
  readonly scores: Float64Array;
  /** The pairs and bundles there are to choose from. */
  readonly choices: TagChoices;
  /** How much better than the next best the last universal tag was, and the last bundle below it, at its closest step. */
  margin = 0;
  marginBelow = 0;
  /** The same of the last choice. */
  private lead = 0;
  private readonly viewScores: ViewScores;
  private readonly tags: TagSet;
  private readonly lexicon: Lexicon;
  private readonly weights: TagWeights;
  /** How many universal tags there are, and features of the text. */
  private readonly size: number;
  private readonly text: number;
  private readonly mask: number;

  constructor(
    { tags, lexicon, features, weights }: Knowledge,
    private readonly evidence: Evidence,
    /** What has read the sentence, and adds its scores to those of the evidence. */
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
    this.viewScores = new ViewScores(evidence.views, weights.upos, 2 * this.size);
    this.upos = this.scoresOf(1);
  }

  /** Makes room for a sentence. */
  open(length: number): void {
    if (2 * length * this.size > this.upos.length) this.upos = this.scoresOf(2 * length);
    this.upos.fill(0, 0, 2 * length * this.size);
  }

  private scoresOf(length: number): Int32Array | Float64Array {
    const size = 2 * length * this.size;
    return this.weights.upos instanceof Int16Array ? new Int32Array(size) : new Float64Array(size);
  }

  /** Looks at the text that word i stands in, and adds what it has for universal tags. */
  lookAtText(words: Words, i: number): void {
    const { upos, evidence } = this;
    const weights = this.weights.upos;
    const size = 2 * this.size;
    const at = i * size;
    const summed = evidence.lookAtText(words, i);
    this.viewScores.add(words, i, upos, at);
    const { rows, counts } = evidence;
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let k = start + summed; k < end; k++) {
      const first = rows[k] * size;
      for (let c = 0; c < size; c++) upos[at + c] += weights[first + c];
    }
  }

  /** Looks at the tags on one side of word i, and adds what they have. */
  lookAtTags(words: Words, i: number, bundles: Int32Array, side: Side): void {
    const known = this.evidence.counts[i];
    this.evidence.lookAtTags(words, i, bundles, side);
    this.addUpos(i, known, side, this.upos, this.scoresAt(i, side));
  }

  /** Scores the universal tags of word i by all its features, which are of the text and of the tags on one side. */
  scoreUpos(i: number, side: Side): void {
    this.scores.fill(0, 0, this.size);
    this.addUpos(i, 0, side, this.scores, 0);
  }

  /** Adds the weights of the features of word i from number `from` on. */
  private addUpos(i: number, from: number, side: Side, target: Int32Array | Float64Array, at: number): void {
    const { rows, counts } = this.evidence;
    const weights = this.weights.upos;
    const size = this.size;
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let k = start + from; k < end; k++) {
      const first = this.weightsAt(rows[k], side);
      for (let c = 0; c < size; c++) target[at + c] += weights[first + c];
    }
  }

  /** The best universal tag by the last scores; of equals the first seen in training. */
  bestUpos(): number {
    const best = this.bestOf(this.size);
    this.margin = this.lead;
    return best;
  }

  private scoresAt(i: number, side: Side): number {
    return (2 * i + (side === Side.after ? 0 : 1)) * this.size;
  }

  /** Where the weights of a feature begin for universal tags, beside the tags on one side. */
  weightsAt(row: number, side: Side): number {
    const place = row < this.text ? 2 * row + (side === Side.after ? 0 : 1) : row + this.text;
    return place * this.size;
  }

  /**
   * The bundle of word i by the sides that are given, whose tags have been looked at; without any, by the network alone.
   *
   * @param known what it is if it has the universal tag of this
   */
  bundle(words: Words, i: number, sides: readonly Side[], known = UNSETTLED): number {
    this.sumUpos(i, sides);
    const best = this.bestUpos();
    if (known !== UNSETTLED && this.tags.uposOfBundle[known] === best) return known;
    return this.bundleBeside(best, words, i, sides);
  }

  /** The universal tags of word i by the sides that are given, the best first; of equals the first seen in training. */
  scoredUpos(i: number, sides: readonly Side[]): { readonly upos: number; readonly score: number }[] {
    this.sumUpos(i, sides);
    const scored = Array.from(this.scores.subarray(0, this.size), (score, upos) => ({ upos, score }));
    return scored.sort((a, b) => b.score - a.score);
  }

  /** Sums the scores of the universal tags of word i over the sides. */
  private sumUpos(i: number, sides: readonly Side[]): void {
    const { scores, upos } = this;
    scores.fill(0, 0, this.size);
    for (let s = 0; s < sides.length; s++) {
      const at = this.scoresAt(i, sides[s]);
      for (let c = 0; c < this.size; c++) scores[c] += upos[at + c];
    }
    this.network?.addUpos(i, scores);
  }

  /** Its bundle beside a universal tag: what it always has, or the best. */
  bundleBeside(upos: number, words: Words, i: number, sides: readonly Side[]): number {
    this.marginBelow = Number.POSITIVE_INFINITY;
    const settled = this.lexicon.settledBeside(entryOf(words, i), upos, this.size);
    return settled !== UNSETTLED ? settled : this.bundleOf(this.pairOf(upos, i, sides), i, sides);
  }

  /** Its pair among those of a universal tag. */
  private pairOf(upos: number, i: number, sides: readonly Side[]): number {
    return this.best(this.choices.pairs[upos], i, sides);
  }

  /** Its bundle among those of a pair. */
  private bundleOf(pair: number, i: number, sides: readonly Side[]): number {
    return this.best(this.choices.bundles[pair], i, sides);
  }

  private best(choices: Choices, i: number, sides: readonly Side[]): number {
    const { members } = choices;
    if (members.length === 1) return members[0];
    const best = members[this.bestPlace(choices, i, sides)];
    this.marginBelow = Math.min(this.marginBelow, this.lead);
    return best;
  }

  /** The place of the best member: of what the network is certain of by itself, whatever the sides have. */
  private bestPlace(choices: Choices, i: number, sides: readonly Side[]): number {
    const { length } = choices.members;
    if (this.network !== undefined) {
      this.scoreChoices(choices, i, NO_SIDES);
      const best = this.bestOf(length);
      if (sides.length === 0 || this.lead >= this.network.certain) return best;
    }
    this.scoreChoices(choices, i, sides);
    return this.bestOf(length);
  }

  /** Scores some pairs or bundles by all features of word i; the scores of their parts come after theirs. */
  scoreChoices(choices: Choices, i: number, sides: readonly Side[]): void {
    const { members, sharing, first, count } = choices;
    const { scores } = this;
    const { rows, counts } = this.evidence;
    const weights = this.weights.morphology;
    const mask = this.mask;
    const start = i * MOST_FEATURES;
    const end = sides.length === 0 ? start : start + counts[i];
    scores.fill(0, 0, count);
    for (let k = start; k < end; k++) {
      const at = this.choiceAt(rows[k], first, sides[0]);
      const isShared = sides.length > 1 && rows[k] < this.text;
      for (let c = 0; c < count; c++) {
        const weight = (at + 2 * c) & mask;
        scores[c] += isShared ? weights[weight] + weights[weight + 1] : weights[weight];
      }
    }
    this.network?.addChoices(i, choices, scores);
    addParts(scores, members.length, sharing);
  }

  /** Where the weight of a feature is for the first choice, beside the tags on one side; the next is 2 on. */
  choiceAt(row: number, first: number, side: Side): number {
    const place = morphologyStart(row) + 2 * first;
    return row < this.text && side === Side.before ? place + 1 : place;
  }

  /** The best of so many choices by their scores. */
  private bestOf(length: number): number {
    const { scores } = this;
    let best = 0;
    let next = Number.NEGATIVE_INFINITY;
    for (let c = 1; c < length; c++) {
      if (scores[c] > scores[best]) {
        next = scores[best];
        best = c;
      } else if (scores[c] > next) next = scores[c];
    }
    this.lead = scores[best] - next;
    return best;
  }
}
