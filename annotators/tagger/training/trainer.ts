import { quantizedTogether, quantizingFactor } from '../../../src/learn/linear/weights.ts';
import { type Schedule, scheduleOf } from '../../../src/learn/network/schedule.ts';
import { Random } from '../../../src/learn/random.ts';
import { CERTAIN } from '../network/network-scores.ts';
import { networkBounds, type TaggerOptions } from '../options.ts';
import { uposSize } from '../tag-weights.ts';
import type { TaggerModel } from '../tagger.ts';
import { NetworkTrainer } from './network-trainer.ts';
import { SentenceTrainer } from './sentence-trainer.ts';
import { TaggerState } from './tagger-state.ts';
import type { TrainingData } from './training-data.ts';

/** Learns to tag, sentence by sentence. */
export class Trainer {
  readonly state: TaggerState;
  /** The passes over the training data in all. */
  readonly epochs: number;
  private readonly data: TrainingData;
  private readonly trainer: SentenceTrainer;
  private readonly network: NetworkTrainer | undefined;

  /** @param fingerprint names the options, data and seed */
  constructor(
    data: TrainingData,
    private readonly options: TaggerOptions,
    private readonly seed: number,
    fingerprint: string,
  ) {
    const { tags, lexicon, features } = data.knowledge;
    const { bits, rate, dropout, units, epochs } = options;
    this.data = data;
    const sizes = { upos: uposSize(features, tags), morphology: 2 ** bits };
    if (units > 0) this.network = new NetworkTrainer(data, units, scheduleFor(data, options), seed);
    this.epochs = Math.max(epochs, this.network?.schedule.epochs ?? 0);
    this.state = new TaggerState(sizes, rate, fingerprint, this.network?.state);
    this.trainer = new SentenceTrainer(features, tags, lexicon, this.state.adaptive, dropout);
  }

  /** What has been learnt so far. */
  model(): TaggerModel {
    const { upos, morphology } = this.state.adaptive;
    const values = [upos.values, morphology.values];
    const [uposWeights, morphologyWeights] = quantizedTogether(values);
    return {
      ...this.data.knowledge,
      weights: { upos: uposWeights, morphology: morphologyWeights },
      certain: Math.round(CERTAIN * quantizingFactor(values)),
      network: this.network?.learnt(),
    };
  }

  learn(index: number): void {
    const { epoch } = this.state;
    const { lessons } = this.data;
    if (epoch <= this.options.epochs) {
      this.trainer.learn(lessons[index], new Random(this.seed, epoch, index));
    }
    if (this.network !== undefined && epoch <= this.network.schedule.epochs) {
      this.network.learn(index, this.state);
    }
  }
}

function scheduleFor({ lessons }: TrainingData, { networkEpochs }: TaggerOptions): Schedule {
  const tokens = lessons.reduce((sum, { words }) => sum + words.length, 0);
  return scheduleOf({ epochs: networkEpochs }, tokens, networkBounds);
}
