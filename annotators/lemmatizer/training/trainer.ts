import { quantized } from '../../../src/learn/linear/weights.ts';
import { TrainingState } from '../../../src/training/training-state.ts';
import { fillLemmaFeatures } from '../lemma-features.ts';
import type { LemmatizerModel } from '../lemmatizer.ts';
import { RuleChooser } from '../rule-chooser.ts';
import type { Lesson, TrainingData } from './training-data.ts';

/** Learns by the averaged perceptron to choose the right rule among those that fit a form. */
export class Trainer {
  readonly state: TrainingState<'rules'>;
  private readonly data: TrainingData;
  private readonly chooser: RuleChooser;

  /** @param fingerprint names the options, data and seed */
  constructor(data: TrainingData, bits: number, fingerprint: string) {
    this.data = data;
    this.state = new TrainingState({ rules: 2 ** bits }, fingerprint);
    const { rules, general } = data.knowledge;
    this.chooser = new RuleChooser(rules, general, this.state.weights.rules.values, data.lemmasOfOthers);
  }

  /** What has been learnt so far. */
  model(): LemmatizerModel {
    const { knowledge } = this.data;
    return { ...knowledge, weights: quantized(this.state.weights.rules.mean()) };
  }

  learn({ form, tags, rule }: Lesson): void {
    const { general } = this.data.knowledge;
    const weights = this.state.weights.rules;
    const chooser = this.chooser;
    if (rule < general) {
      fillLemmaFeatures(chooser.features, form, tags);
      const found = chooser.bestRule(form, tags.upos);
      if (found !== rule) {
        chooser.learn(weights, rule, form, tags.upos, 1);
        chooser.learn(weights, found, form, tags.upos, -1);
      }
    }
    weights.examples++;
  }
}
