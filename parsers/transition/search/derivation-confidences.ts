import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { UNIT } from '../../../src/learn/linear/learner.ts';
import { ACTIONS, hasLabel } from '../systems/actions.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import type { Search } from './search.ts';
import { actionOf, labelOf } from './transition.ts';

/** What scores are multiplied by for probabilities: about what makes these true on held-out data. */
const SCALE = 1 / (32 * UNIT);

/**
 * How sure the arcs of a derivation are: goes through it again. An action is as probable as the exponential
 * of its score, among those permitted. A token's arc is as probable as all actions together that were taken
 * while the token was one of the two in focus, and had no head: each of them could have made another arc to
 * it. Where other derivations were followed to the end, that is multiplied by the share of those with the
 * same arc.
 */
export class DerivationConfidences {
  private readonly configuration = new StackConfiguration();
  private readonly scores = new Float64Array(ACTIONS);

  constructor(private readonly model: TransitionModel) {}

  /** Writes a figure from 0 to 1 for each token; the features of the sentence are prepared. */
  fill(
    sentence: EncodedSentence,
    weights: TransitionWeights,
    search: Search,
    derivation: readonly number[],
    confidences: Float64Array,
  ): void {
    const { model, configuration } = this;
    const { system } = model;
    const { focus } = system;
    const { length } = sentence;
    system.start(configuration, length);
    confidences.fill(1, 1, length + 1);
    for (const transition of derivation) {
      const action = actionOf(transition);
      const probability = this.probability(sentence, action, weights);
      for (const token of [focus.left(configuration), focus.right(configuration)]) {
        if (token > 0 && configuration.head(token) === -1) {
          confidences[token] *= probability;
        }
      }
      system.apply(configuration, action, hasLabel(action) ? labelOf(transition) : 0);
    }
    for (let d = 1; d <= length; d++) confidences[d] *= search.share(d, configuration.head(d), SCALE);
  }

  /** How probable an action is. */
  private probability(sentence: EncodedSentence, action: number, weights: TransitionWeights): number {
    const { model, configuration, scores } = this;
    const { system } = model;
    model.score(configuration, weights);
    for (const other of system.actions) {
      if (system.permits(configuration, other)) scores[other] = this.scoreOf(sentence, other, weights);
      else scores[other] = -Infinity;
    }
    let sum = 0;
    for (const other of system.actions) sum += Math.exp(SCALE * (scores[other] - scores[action]));
    return 1 / sum;
  }

  /** The score of an action: where labels are chosen together with it, that of the best one included. */
  private scoreOf(sentence: EncodedSentence, action: number, weights: TransitionWeights): number {
    const { model, configuration } = this;
    const score = model.actionScores[action];
    if (!hasLabel(action) || model.settings.beam === 0) return score;
    const labels = model.labelsFor(sentence, configuration, action);
    model.scoreLabels(action, labels, weights);
    let best = -Infinity;
    for (let l = 0; l < labels.length; l++) best = Math.max(best, model.labelScores[l]);
    return score + best;
  }
}
