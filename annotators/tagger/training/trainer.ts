import { quantized } from '../../../src/learn/linear/weights.ts';
import { TrainingState } from '../../../src/training/training-state.ts';
import { Decoder } from '../decoder.ts';
import type { TagSet } from '../tag-set.ts';
import { morphologyIndex, type WeightName } from '../tag-weights.ts';
import type { TaggerModel } from '../tagger.ts';
import type { Lesson, TrainingData } from './training-data.ts';

/**
 * Learns by the averaged perceptron to choose at every step down the tree of tags, each word with the tags that are
 * found for those before it: it will have to live with them.
 */
export class Trainer {
  readonly state: TrainingState<WeightName>;
  readonly #data: TrainingData;
  readonly #tags: TagSet;
  readonly #decoder: Decoder;
  readonly #mask: number;
  #found = new Int32Array(256);

  /** @param fingerprint names the options, data and seed */
  constructor(data: TrainingData, bits: number, fingerprint: string) {
    const { tags, features } = data.knowledge;
    this.#data = data;
    this.#tags = tags;
    const sizes = { upos: features.size * tags.upos.length, morphology: 2 ** bits };
    this.#mask = sizes.morphology - 1;
    this.state = new TrainingState(sizes, fingerprint);
    const { upos, morphology } = this.state.weights;
    const weights = { upos: upos.values, morphology: morphology.values };
    this.#decoder = new Decoder(features, tags, weights);
  }

  /** What has been learnt so far. */
  model(): TaggerModel {
    const { upos, morphology } = this.state.weights;
    const weights = { upos: quantized(upos.mean()), morphology: quantized(morphology.mean()) };
    return { ...this.#data.knowledge, weights };
  }

  learn({ words, bundles }: Lesson): void {
    if (words.length > this.#found.length) this.#found = new Int32Array(2 * words.length);
    const found = this.#found;
    for (let i = 0; i < words.length; i++) {
      this.#decoder.look(words, i, found);
      found[i] = this.#learnWord(bundles[i]);
    }
  }

  /** Goes down the tree of tags as far as the right way goes, and learns from every wrong turn; returns what is found. */
  #learnWord(gold: number): number {
    const decoder = this.#decoder;
    const { upos: uposWeights, morphology: morphologyWeights } = this.state.weights;
    const rightUpos = this.#tags.uposOfBundle[gold];
    const rightPair = this.#tags.pairOfBundle[gold];
    const pairs = this.#tags.bundlesOf.length;
    const upos = decoder.upos();
    const pair = decoder.pair(upos);
    const bundle = decoder.bundle(pair);
    if (upos !== rightUpos) this.#correctUpos(rightUpos, upos);
    const pairHere = upos === rightUpos ? pair : decoder.pair(rightUpos);
    if (pairHere !== rightPair) this.#correctMorphology(rightPair, pairHere);
    const bundleHere = pair === rightPair ? bundle : decoder.bundle(rightPair);
    if (bundleHere !== gold) this.#correctMorphology(pairs + gold, pairs + bundleHere);
    uposWeights.examples++;
    morphologyWeights.examples++;
    return bundle;
  }

  #correctUpos(right: number, wrong: number): void {
    const { rows, count } = this.#decoder;
    const weights = this.state.weights.upos;
    const size = this.#tags.upos.length;
    for (let k = 0; k < count; k++) {
      weights.add(rows[k] * size + right, 1);
      weights.add(rows[k] * size + wrong, -1);
    }
  }

  #correctMorphology(right: number, wrong: number): void {
    const { rows, count } = this.#decoder;
    const weights = this.state.weights.morphology;
    for (let k = 0; k < count; k++) {
      weights.add(morphologyIndex(rows[k], right, this.#mask), 1);
      weights.add(morphologyIndex(rows[k], wrong, this.#mask), -1);
    }
  }
}
