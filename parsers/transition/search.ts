import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { UNIT } from '../../src/learn/linear/learner.ts';
import { BeamSearch } from './beam-search.ts';
import { StackConfiguration } from './systems/stack-configuration.ts';
import { ACTIONS, actionOf, hasLabel, labelOf, transitionOf } from './systems/system.ts';
import type { TransitionModel, TransitionWeights } from './transition-model.ts';

/** Finds the tree of a sentence by transitions; what it returns is valid until the next search. */
export interface Search {
  /** @param derivation takes the transitions made, where it is given */
  best(sentence: EncodedSentence, weights: TransitionWeights, derivation?: number[]): StackConfiguration;
  /**
   * Of the configurations that the last search ended with, the share of those in which d has this head, each counted
   * by the exponential of its score times `scale`.
   */
  share(d: number, head: number, scale: number): number;
}

/** The search that a model's settings ask for. */
export function searchFor(model: TransitionModel): Search {
  const { beam } = model.settings;
  return beam === 0 ? new GreedySearch(model) : new BeamSearch(model, beam);
}

/**
 * Takes the best transition each time (Nivre 2008, §3.2): first its action, then, of an arc, its label. Of equal
 * scores the smaller number wins.
 */
export class GreedySearch {
  private readonly configuration = new StackConfiguration();

  constructor(private readonly model: TransitionModel) {}

  /** The configuration at the end; valid until the next search. */
  best(sentence: EncodedSentence, weights: TransitionWeights, derivation?: number[]): StackConfiguration {
    this.start(sentence);
    while (!this.model.system.isComplete(this.configuration)) {
      const transition = this.advance(sentence, weights);
      derivation?.push(transition);
    }
    return this.configuration;
  }

  /** The same search, to be looked at: the transitions that it makes. */
  *transitions(sentence: EncodedSentence, weights: TransitionWeights): Generator<number> {
    this.start(sentence);
    while (!this.model.system.isComplete(this.configuration)) yield this.advance(sentence, weights);
  }

  private start(sentence: EncodedSentence): void {
    this.model.features.prepare(sentence);
    this.model.system.start(this.configuration, sentence.length);
  }

  /** One transition further; returns it. */
  private advance(sentence: EncodedSentence, weights: TransitionWeights): number {
    const action = this.bestAction(weights);
    const label = hasLabel(action) ? this.bestLabel(sentence, action, weights) : 0;
    this.model.system.apply(this.configuration, action, label);
    return transitionOf(action, label);
  }

  /** There are no others. */
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
    for (let l = 1; l < labels.length; l++) {
      if (model.labelScores[l] > model.labelScores[best]) best = l;
    }
    return labels[best];
  }
}

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
