import type { Random } from '../../../src/learn/random.ts';
import type { HashIndex } from '../../features/hash-index.ts';
import { Descent } from '../descent.ts';
import { Direction } from '../direction.ts';
import { UNSETTLED } from '../lexicon.ts';
import { MOST_FEATURES } from '../tag-features.ts';
import type { TagSet } from '../tag-set.ts';
import { morphologyStart, type TagWeights } from '../tag-weights.ts';
import { settledOf } from '../words.ts';
import type { AdaptiveWeights } from './adaptive-weights.ts';
import type { Lesson } from './training-data.ts';

/** What is as likely already is not learnt from: all else would take twice the time. */
const CERTAIN = 0.995;
/** A change of a likelihood that is not worth making. */
const NEGLIGIBLE = 0.002;

/** A gradient's random numbers are drawn below this. */
const DRAWS = 1 << 16;

/**
 * Learns the steps down the tree of tags as log-linear choices by stochastic gradient descent, each word with the
 * tags that are found for those before it: it will have to live with them. A share of the features, drawn anew for
 * every word, is left out (dropout, Srivastava et al. 2014), so that no word is known by its form alone.
 */
export class DirectionTrainer {
  readonly #direction: Direction;
  readonly #descent: Descent;
  readonly #mask: number;
  readonly #draw: number;
  #found = new Int32Array(256);

  constructor(
    features: HashIndex,
    private readonly tags: TagSet,
    private readonly weights: TagWeights<AdaptiveWeights>,
    dropout: number,
  ) {
    const values = { upos: weights.upos.values, morphology: weights.morphology.values };
    this.#direction = new Direction(features, tags, values);
    this.#descent = new Descent(tags, [this.#direction]);
    this.#mask = values.morphology.length - 1;
    this.#draw = Math.round(dropout * DRAWS);
  }

  learn({ words, bundles }: Lesson, random: Random): void {
    if (words.length > this.#found.length) this.#found = new Int32Array(2 * words.length);
    const found = this.#found;
    this.#direction.open(words.length);
    for (let i = 0; i < words.length; i++) {
      found[i] = settledOf(words, i);
      if (found[i] !== UNSETTLED) continue;
      this.#direction.look(words, i, found);
      this.#dropFeatures(i, random);
      this.#direction.scoreUpos(i);
      found[i] = this.#learnWord(i, bundles[i]);
    }
  }

  #dropFeatures(i: number, random: Random): void {
    const { rows, counts } = this.#direction;
    const start = i * MOST_FEATURES;
    const count = counts[i];
    let kept = 0;
    for (let k = 0; k < count; k++) {
      if (random.next() >>> 16 >= this.#draw) rows[start + kept++] = rows[start + k];
    }
    counts[i] = kept;
  }

  /** Goes down the right way and learns at every step; returns the bundle that would have been found before. */
  #learnWord(i: number, gold: number): number {
    const { tags } = this;
    const descent = this.#descent;
    const rightUpos = tags.uposOfBundle[gold];
    const rightPair = tags.pairOfBundle[gold];
    const upos = descent.upos(i, i);
    this.#correctUpos(i, rightUpos);
    const found = descent.bundleOf(descent.pairOf(upos, i, i), i, i);
    this.#correctMorphology(i, tags.pairsOf[rightUpos], rightPair, 0);
    this.#correctMorphology(i, tags.bundlesOf[rightPair], gold, tags.bundlesOf.length);
    return found;
  }

  /** By the scores of the universal tags, which have just been found. */
  #correctUpos(i: number, right: number): void {
    const { rows, counts } = this.#direction;
    const { length } = this.tags.upos;
    const weights = this.weights.upos;
    const gradients = this.#descent.scores;
    if (!toGradients(gradients, length, right)) return;
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let c = 0; c < length; c++) {
      const gradient = gradients[c];
      if (Math.abs(gradient) < NEGLIGIBLE) continue;
      for (let k = start; k < end; k++) weights.descend(rows[k] * length + c, gradient);
    }
  }

  #correctMorphology(i: number, choices: readonly number[], right: number, first: number): void {
    if (choices.length === 1) return;
    const { rows, counts } = this.#direction;
    const weights = this.weights.morphology;
    const gradients = this.#descent.scores;
    gradients.fill(0, 0, choices.length);
    this.#direction.addChoices(i, choices, first, gradients);
    if (!toGradients(gradients, choices.length, choices.indexOf(right))) return;
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let c = 0; c < choices.length; c++) {
      const gradient = gradients[c];
      if (Math.abs(gradient) < NEGLIGIBLE) continue;
      const choice = first + choices[c];
      for (let k = start; k < end; k++) {
        weights.descend((morphologyStart(rows[k]) + choice) & this.#mask, gradient);
      }
    }
  }
}

/**
 * Turns the scores of choices into the gradients of the log-likelihood of the right one: the choices' likelihoods,
 * less one for the right one. False where that is certain already.
 */
function toGradients(scores: Float64Array, length: number, right: number): boolean {
  let highest = scores[0];
  for (let c = 1; c < length; c++) highest = Math.max(highest, scores[c]);
  let sum = 0;
  for (let c = 0; c < length; c++) {
    scores[c] = Math.exp(scores[c] - highest);
    sum += scores[c];
  }
  for (let c = 0; c < length; c++) scores[c] /= sum;
  if (scores[right] > CERTAIN) return false;
  scores[right] -= 1;
  return true;
}
