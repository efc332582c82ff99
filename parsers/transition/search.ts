import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { UNIT } from '../../src/learn/linear/learner.ts';
import { BeamSearch } from './beam-search.ts';
import { StackConfiguration } from './systems/stack-configuration.ts';
import { ACTIONS, actionOf, hasLabel, labelOf, transitionOf } from './systems/system.ts';
import type { TransitionModel, TransitionWeights } from './transition-model.ts';

/** A search for the tree of a sentence; results are valid until the next search. */
export interface Search {
  /** @param derivation receives the transitions to the best configuration */
  best(sentence: EncodedSentence, weights: TransitionWeights, derivation?: number[]): StackConfiguration;
  /** Share of the final configurations in which d has this head, weighted by exponentials of scores times `scale`. */
  share(d: number, head: number, scale: number): number;
  /** The final configurations, the best first, with their shares; absent: there is one. */
  survivors?(scale: number): { readonly configuration: StackConfiguration; readonly share: number }[];
}

export function searchFor(model: TransitionModel): Search {
  const { beam } = model.settings;
  return beam === 0 ? new GreedySearch(model) : new BeamSearch(model, beam);
}

/** Greedy search (Nivre 2008, §3.2): the best action each time, then its best label; the smaller number wins ties. */
export class GreedySearch {
  private readonly configuration = new StackConfiguration();

  constructor(private readonly model: TransitionModel) {}

  best(sentence: EncodedSentence, weights: TransitionWeights, derivation?: number[]): StackConfiguration {
    const { model, configuration } = this;
    model.features.prepare(sentence);
    model.system.start(configuration, sentence.length);
    while (!model.system.isComplete(configuration)) {
      const action = this.bestAction(weights);
      const label = hasLabel(action) ? this.bestLabel(sentence, action, weights) : 0;
      model.system.apply(configuration, action, label);
      derivation?.push(transitionOf(action, label));
    }
    return configuration;
  }

  /** 1: there is only one final configuration. */
  share(): number {
    return 1;
  }

  private bestAction(weights: TransitionWeights): number {
    const { model, configuration } = this;
    const { system, actionScores } = model;
    model.score(configuration, weights);
    let best = -1;
    for (const action of system.actions) {
      if (!system.permits(configuration, action)) continue;
      if (best === -1 || actionScores[action] > actionScores[best]) best = action;
    }
    return best;
  }

  private bestLabel(sentence: EncodedSentence, action: number, weights: TransitionWeights): number {
    const { model } = this;
    const labels = model.labelsFor(sentence, this.configuration, action);
    if (labels.length === 1) return labels[0];
    model.scoreLabels(action, labels, weights);
    let best = 0;
    for (let l = 1; l < labels.length; l++) if (model.labelScores[l] > model.labelScores[best]) best = l;
    return labels[best];
  }
}

/** Scale of scores for probabilities, chosen for calibration on held-out data. */
export const SCALE = 1 / (32 * UNIT);

/**
 * Confidences of the arcs of a derivation, which is repeated. The probability of an action is a softmax over the permitted
 * ones. The confidence of a token's arc is the product of the probabilities of all actions taken while the token was in
 * focus without a head, since each of them could have given it another arc. In beam search it is multiplied by the share
 * of final configurations with the same arc.
 */
export class DerivationConfidences {
  private readonly configuration = new StackConfiguration();
  private readonly scores = new Float64Array(ACTIONS);

  constructor(private readonly model: TransitionModel) {}

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
      for (const token of [focus.left(configuration), focus.right(configuration)])
        if (token > 0 && configuration.head(token) === -1) confidences[token] *= probability;
      system.apply(configuration, action, hasLabel(action) ? labelOf(transition) : 0);
    }
    for (let d = 1; d <= length; d++) confidences[d] *= search.share(d, configuration.head(d), SCALE);
  }

  private probability(sentence: EncodedSentence, action: number, weights: TransitionWeights): number {
    const { model, configuration, scores } = this;
    const { system } = model;
    model.score(configuration, weights);
    for (const other of system.actions) {
      const mayCome = system.permits(configuration, other);
      scores[other] = mayCome ? this.scoreOf(sentence, other, weights) : -Infinity;
    }
    let sum = 0;
    for (const other of system.actions) sum += Math.exp(SCALE * (scores[other] - scores[action]));
    return 1 / sum;
  }

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
