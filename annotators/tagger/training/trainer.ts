import { quantizedTogether } from '../../../src/learn/linear/weights.ts';
import { Random } from '../../../src/learn/random.ts';
import type { TaggerOptions } from '../options.ts';
import { directionNames, type TaggerModel } from '../tagger.ts';
import { DirectionTrainer } from './direction-trainer.ts';
import { TaggerState } from './tagger-state.ts';
import { reversedLesson, type TrainingData } from './training-data.ts';

/** Learns to tag from left to right and from right to left, the one independent of the other. */
export class Trainer {
  readonly state: TaggerState;
  readonly #data: TrainingData;
  readonly #trainers: readonly DirectionTrainer[];

  /** @param fingerprint names the options, data and seed */
  constructor(
    data: TrainingData,
    { bits, rate, dropout }: TaggerOptions,
    private readonly seed: number,
    fingerprint: string,
  ) {
    const { tags, features } = data.knowledge;
    this.#data = data;
    const sizes = directionNames.map((name) => {
      return [name, { upos: features[name].size * tags.upos.length, morphology: 2 ** bits }];
    });
    this.state = new TaggerState(Object.fromEntries(sizes), rate, fingerprint);
    this.#trainers = directionNames.map(
      (name) => new DirectionTrainer(features[name], tags, this.state.adaptive[name], dropout),
    );
  }

  /** What has been learnt so far; the scores of both directions will be added. */
  model(): TaggerModel {
    const { forward, backward } = this.state.adaptive;
    const upos = quantizedTogether([forward.upos.values, backward.upos.values]);
    const morphology = quantizedTogether([forward.morphology.values, backward.morphology.values]);
    const weights = {
      forward: { upos: upos[0], morphology: morphology[0] },
      backward: { upos: upos[1], morphology: morphology[1] },
    };
    return { ...this.#data.knowledge, weights };
  }

  learn(index: number): void {
    const lesson = this.#data.lessons[index];
    const random = new Random(this.seed, this.state.epoch, index);
    const [forward, backward] = this.#trainers;
    forward.learn(lesson, random);
    backward.learn(reversedLesson(lesson), random);
  }
}
