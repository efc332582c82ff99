import { quantizedTogether, quantizingFactor } from '../../../src/learn/linear/weights.ts';
import { Random } from '../../../src/learn/random.ts';
import type { TaggerOptions } from '../options.ts';
import { uposSize } from '../tag-weights.ts';
import type { TaggerModel } from '../tagger.ts';
import { SentenceTrainer } from './sentence-trainer.ts';
import { TaggerState } from './tagger-state.ts';
import type { TrainingData } from './training-data.ts';

/** How much better a choice must be in the first pass to be left alone in the second, in natural logarithms. */
const CERTAIN = 5;

/** Learns to tag, sentence by sentence. */
export class Trainer {
  readonly state: TaggerState;
  readonly #data: TrainingData;
  readonly #trainer: SentenceTrainer;

  /** @param fingerprint names the options, data and seed */
  constructor(
    data: TrainingData,
    { bits, rate, dropout }: TaggerOptions,
    private readonly seed: number,
    fingerprint: string,
  ) {
    const { tags, lexicon, features } = data.knowledge;
    this.#data = data;
    const sizes = { upos: uposSize(features, tags), morphology: 2 ** bits };
    this.state = new TaggerState(sizes, rate, fingerprint);
    this.#trainer = new SentenceTrainer(features, tags, lexicon, this.state.adaptive, dropout);
  }

  /** What has been learnt so far. */
  model(): TaggerModel {
    const { upos, morphology } = this.state.adaptive;
    const values = [upos.values, morphology.values];
    const [uposWeights, morphologyWeights] = quantizedTogether(values);
    return {
      ...this.#data.knowledge,
      weights: { upos: uposWeights, morphology: morphologyWeights },
      certain: Math.round(CERTAIN * quantizingFactor(values)),
    };
  }

  learn(index: number): void {
    this.#trainer.learn(this.#data.lessons[index], new Random(this.seed, this.state.epoch, index));
  }
}
