import { crossEntropy } from '../../../src/learn/network/training.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { type FeatureNumbers, MOST_FEATURES, SentenceFeatures, Side } from '../features.ts';
import { TagDecoder } from '../tag-decoder.ts';
import { type Choices, type Lexicon, NOT_FIXED, sumShared, type TagSet } from '../tag-set.ts';
import type { TagWeights } from '../tag-weights.ts';
import { type EncodedWords, entryOf } from '../words.ts';
import type { TaggerExample } from './training-data.ts';

/** Probability of the right choice above which no update is made: learning from all would take twice the time. */
const CERTAIN = 0.995;
const NEGLIGIBLE = 0.002;
/** Dropout compares random numbers below this. */
const DRAWS = 1 << 16;

/**
 * Trains the linear models of the two passes by stochastic gradient descent, with predicted neighbouring tags, as when tagging.
 * Features of every word are dropped at random (dropout, Srivastava et al. 2014).
 */
export class SentenceTrainer {
  private readonly sentence: SentenceFeatures;
  private readonly decoder: TagDecoder;
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
    this.sentence = new SentenceFeatures(features, tags);
    this.decoder = new TagDecoder({ tags, lexicon, features, weights: values }, this.sentence);
    this.mask = values.morphology.length - 1;
    this.draw = Math.round(dropout * DRAWS);
  }

  learn({ words, bundles }: TaggerExample, random: Random): void {
    const { length } = words;
    if (length > this.found.length) this.found = new Int32Array(2 * length);
    const { found, lexicon } = this;
    this.sentence.reset(length);
    for (let i = length - 1; i >= 0; i--) {
      found[i] = lexicon.fixedBundle(entryOf(words, i));
      if (found[i] === NOT_FIXED) found[i] = this.learnWord(words, i, bundles[i], Side.after, random);
    }
    for (let i = 0; i < length; i++) {
      const isFixed = lexicon.fixedBundle(entryOf(words, i)) !== NOT_FIXED;
      if (!isFixed) found[i] = this.learnWord(words, i, bundles[i], Side.before, random);
    }
  }

  /** Updates the weights down the gold path by the tags on one side; returns the bundle predicted before. */
  private learnWord(words: EncodedWords, i: number, gold: number, side: Side, random: Random): number {
    const { sentence } = this;
    sentence.clear(i);
    sentence.addTextFeatures(words, i);
    this.dropFeatures(i, 0, random);
    const from = sentence.counts[i];
    sentence.addTagFeatures(words, i, this.found, side);
    this.dropFeatures(i, from, random);
    const { tags, decoder } = this;
    const rightUpos = tags.uposOfBundle[gold];
    const rightPair = tags.pairOfBundle[gold];
    const sides = [side] as const;
    decoder.scoreUpos(i, side);
    const { best } = decoder.bestUpos();
    this.updateUpos(i, rightUpos, side);
    const found = decoder.bundleOfUpos(best, words, i, sides).bundle;
    const fixed = this.lexicon.fixedBundleOfUpos(entryOf(words, i), rightUpos, tags.upos.length);
    if (fixed !== NOT_FIXED) return found;
    this.updateMorphology(i, decoder.choices.pairs[rightUpos], rightPair, sides);
    this.updateMorphology(i, decoder.choices.bundles[rightPair], gold, sides);
    return found;
  }

  private dropFeatures(i: number, from: number, random: Random): void {
    const { rows, counts } = this.sentence;
    const start = i * MOST_FEATURES;
    const count = counts[i];
    let kept = from;
    for (let k = from; k < count; k++)
      if (random.next() >>> 16 >= this.draw) rows[start + kept++] = rows[start + k];
    counts[i] = kept;
  }

  private updateUpos(i: number, right: number, side: Side): void {
    const { rows, counts } = this.sentence;
    const { length } = this.tags.upos;
    const weights = this.weights.upos;
    const decoder = this.decoder;
    const gradients = decoder.scores;
    if (crossEntropy(gradients, gradients, 0, length, right) > CERTAIN) return;
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let c = 0; c < length; c++) {
      const gradient = gradients[c];
      if (Math.abs(gradient) < NEGLIGIBLE) continue;
      for (let k = start; k < end; k++) weights.descend(decoder.weightsAt(rows[k], side) + c, gradient);
    }
  }

  private updateMorphology(i: number, choices: Choices, right: number, sides: readonly [Side]): void {
    const { members, first, count } = choices;
    if (members.length === 1) return;
    const { rows, counts } = this.sentence;
    const weights = this.weights.morphology;
    const decoder = this.decoder;
    const gradients = decoder.scores;
    decoder.scoreChoices(choices, i, sides);
    if (crossEntropy(gradients, gradients, 0, members.length, members.indexOf(right)) > CERTAIN) return;
    sumShared(gradients, choices);
    const start = i * MOST_FEATURES;
    const end = start + counts[i];
    for (let c = 0; c < count; c++) {
      const gradient = gradients[c];
      if (Math.abs(gradient) < NEGLIGIBLE) continue;
      for (let k = start; k < end; k++)
        weights.descend(decoder.choiceAt(rows[k], first + c, sides[0]) & this.mask, gradient);
    }
  }
}

/** Added to the sum of squares, so that the first steps are finite. */
const SMALLEST = 1e-6;

/** Weights trained by AdaGrad (Duchi, Hazan & Singer 2011): each has its own step size, which falls as it changes. */
export class AdaptiveWeights {
  readonly values: Float32Array;
  readonly squares: Float32Array;

  /** @param name of its sections in a training state */
  constructor(
    private readonly name: string,
    size: number,
    private readonly rate: number,
  ) {
    this.values = new Float32Array(size);
    this.squares = new Float32Array(size);
  }

  descend(index: number, gradient: number): void {
    const square = this.squares[index] + gradient * gradient;
    this.squares[index] = square;
    this.values[index] -= (this.rate * gradient) / Math.sqrt(square + SMALLEST);
  }

  save(file: ModelWriter): void {
    file.section(`${this.name}.values`, this.values);
    file.section(`${this.name}.squares`, this.squares);
  }

  restore(file: ModelReader): void {
    this.values.set(file.section(`${this.name}.values`, 'float32'));
    this.squares.set(file.section(`${this.name}.squares`, 'float32'));
  }
}
