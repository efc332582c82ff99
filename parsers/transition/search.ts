import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { type BeamSearch, SCALE, type Survivor, totalWeight } from './beam-search.ts';
import { StackConfiguration } from './systems/stack-configuration.ts';
import { ACTIONS, actionOf, hasLabel, labelOf, transitionOf } from './systems/system.ts';
import type { TransitionModel, TransitionWeights } from './transition-model.ts';

/** A search for the best tree of a sentence; its results are valid until the next search. */
export type Search = GreedySearch | BeamSearch;

/** Greedy search (Nivre 2008, §3.2): always takes the best action, then its best label; ties: the smaller number. */
export class GreedySearch {
  private readonly configuration = new StackConfiguration();

  constructor(private readonly model: TransitionModel) {}

  /** @param derivation receives the transitions */
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

  survivors(): Survivor[] {
    return [{ configuration: this.configuration, weight: 1 }];
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

/**
 * Computes confidences of the arcs of a derivation by repeating it. The probability of an action is a softmax over the
 * permitted ones. The confidence of a token's arc is the product of the probabilities of all actions taken while the
 * token was in focus without a head, since each of them could have given it another arc. It is multiplied by the share
 * of the final configurations, by weight, that have the same arc.
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
    const survivors = search.survivors();
    const all = totalWeight(survivors);
    for (let d = 1; d <= length; d++) {
      const head = configuration.head(d);
      let same = 0;
      for (const survivor of survivors) if (survivor.configuration.head(d) === head) same += survivor.weight;
      confidences[d] *= same / all;
    }
  }

  private probability(sentence: EncodedSentence, action: number, weights: TransitionWeights): number {
    const { model, configuration, scores } = this;
    const { system } = model;
    model.score(configuration, weights);
    for (const other of system.actions) {
      const isPermitted = system.permits(configuration, other);
      scores[other] = isPermitted ? this.scoreOf(sentence, other, weights) : -Infinity;
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
