import type { Random } from '../../../src/learn/random.ts';
import type { Choices } from '../choices.ts';
import { Descent } from '../descent.ts';
import { Evidence, MOST_FEATURES } from '../evidence.ts';
import type { FeatureNumbers } from '../features/feature-numbers.ts';
import { Side } from '../features/tag-features.ts';
import { type Lexicon, UNSETTLED } from '../lexicon.ts';
import type { TagSet } from '../tag-set.ts';
import type { TagWeights } from '../tag-weights.ts';
import { entryOf, type Words } from '../words.ts';
import type { AdaptiveWeights } from './adaptive-weights.ts';
import { sumOverParts, toGradients } from './gradients.ts';
import type { Lesson } from './training-data.ts';

/** What is as likely already is not learnt from: all else would take twice the time. */
const CERTAIN = 0.995;
/** A change of a likelihood that is not worth making. */
const NEGLIGIBLE = 0.002;

/** A gradient's random numbers are drawn below this. */
const DRAWS = 1 << 16;

/**
 * Learns the steps down the tree of tags as log-linear choices by stochastic gradient descent: from right to left by
 * the text and the tags after each word, then from left to right by the tags before it, too. These tags are those
 * that are found: it will have to live with them. A share of the features, drawn anew for every word, is left out
 * (dropout, Srivastava et al. 2014), so that no word is known by its form alone.
 */
export class SentenceTrainer {
  private readonly evidence: Evidence;
  private readonly descent: Descent;
  private readonly mask: number;
  private readonly draw: number;
  private found = new Int32Array(256);

  constructor(
    features: FeatureNumbers,
    private readonly tags: TagSet,
    private readonly lexicon: Lexicon,
    private readonly weights: TagWeights<AdaptiveWeights>,
    dropout: number,
  ) {
    const values = { upos: weights.upos.values, morphology: weights.morphology.values };
    this.evidence = new Evidence(features, tags);
    this.descent = new Descent({ tags, lexicon, features, weights: values }, this.evidence);
    this.mask = values.morphology.length - 1;
    this.draw = Math.round(dropout * DRAWS);
  }

  learn({ words, bundles }: Lesson, random: Random): void {
    const { length } = words;
    if (length > this.found.length) this.found = new Int32Array(2 * length);
    const found = this.found;
    this.evidence.open(length);
    for (let i = length - 1; i >= 0; i--) {
      found[i] = this.lexicon.settledOf(entryOf(words, i));
      if (found[i] !== UNSETTLED) continue;
      this.look(words, i, random);
      this.lookAtTags(words, i, Side.after, random);
      found[i] = this.learnWord(words, i, bundles[i], Side.after);
    }
    for (let i = 0; i < length; i++) {
      if (this.lexicon.settledOf(entryOf(words, i)) !== UNSETTLED) continue;
      this.look(words, i, random);
      this.lookAtTags(words, i, Side.before, random);
      found[i] = this.learnWord(words, i, bundles[i], Side.before);
    }
  }

  /** Looks at the text that word i stands in, and at nothing else. */
  private look(words: Words, i: number, random: Random): void {
    this.evidence.clear(i);
    this.evidence.lookAtText(words, i);
    this.dropFeatures(i, 0, random);
  }

  private lookAtTags(words: Words, i: number, side: Side, random: Random): void {
    const from = this.evidence.counts[i];
    this.evidence.lookAtTags(words, i, this.found, side);
    this.dropFeatures(i, from, random);
  }

  /** Leaves out some features of word i, from number `from` on. */
  private dropFeatures(i: number, from: number, random: Random): void {
    const { rows, counts } = this.evidence;
    const start = i * MOST_FEATURES;
    const count = counts[i];
    let kept = from;
    for (let k = from; k < count; k++) {
      if (random.next() >>> 16 >= this.draw) rows[start + kept++] = rows[start + k];
    }
    counts[i] = kept;
  }

  /**
   * Goes down the right way by the tags on one side and learns at every step; returns the bundle that would have been
   * found before.
   */
  private learnWord(words: Words, i: number, gold: number, side: Side): number {
    const { tags } = this;
    const descent = this.descent;
    const rightUpos = tags.uposOfBundle[gold];
    const rightPair = tags.pairOfBundle[gold];
    const sides = [side] as const;
    descent.scoreUpos(i, side);
    const upos = descent.bestUpos();
    this.correctUpos(i, rightUpos, side);
    const found = descent.bundleBeside(upos, words, i, sides);
    if (this.lexicon.settledBeside(entryOf(words, i), rightUpos, tags.upos.length) !== UNSETTLED)
      return found;
    this.correctMorphology(i, descent.choices.pairs[rightUpos], rightPair, sides);
    this.correctMorphology(i, descent.choices.bundles[rightPair], gold, sides);
    return found;
  }

  /** By the scores of the universal tags, which have just been found. */
  private correctUpos(i: number, right: number, side: Side): void {
    const { rows, counts } = this.evidence;
    const { length } = this.tags.upos;
    const weights = this.weights.upos;
    const descent = this.descent;
    const gradients = descent.scores;
    if (toGradients(gradients, length, right) > CERTAIN) return;
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let c = 0; c < length; c++) {
      const gradient = gradients[c];
      if (Math.abs(gradient) < NEGLIGIBLE) continue;
      for (let k = start; k < end; k++) weights.descend(descent.weightsAt(rows[k], side) + c, gradient);
    }
  }

  private correctMorphology(i: number, choices: Choices, right: number, sides: readonly [Side]): void {
    const { members, first, count } = choices;
    if (members.length === 1) return;
    const { rows, counts } = this.evidence;
    const weights = this.weights.morphology;
    const descent = this.descent;
    const gradients = descent.scores;
    descent.scoreChoices(choices, i, sides);
    if (toGradients(gradients, members.length, members.indexOf(right)) > CERTAIN) return;
    sumOverParts(gradients, choices);
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let c = 0; c < count; c++) {
      const gradient = gradients[c];
      if (Math.abs(gradient) < NEGLIGIBLE) continue;
      for (let k = start; k < end; k++) {
        weights.descend(descent.choiceAt(rows[k], first + c, sides[0]) & this.mask, gradient);
      }
    }
  }
}
