import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { hasLabel } from '../systems/actions.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { transitionOf } from './transition.ts';

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
