import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { StackConfiguration } from '../systems/stack-configuration.ts';
import { hasLabel } from '../systems/system.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';

/**
 * Takes the best transition each time (Nivre 2008, §3.2): first its kind, then, of an arc, its label. Of equal
 * scores the smaller number wins.
 */
export class GreedySearch {
  private readonly configuration: StackConfiguration;

  constructor(private readonly model: TransitionModel) {
    this.configuration = model.system.create();
  }

  /** The configuration at the end; valid until the next search. */
  best(sentence: EncodedSentence, weights: TransitionWeights): StackConfiguration {
    const { configuration } = this;
    const { system, features } = this.model;
    features.prepare(sentence);
    system.start(configuration, sentence.length);
    while (!system.isComplete(configuration)) {
      const kind = this.bestKind(weights);
      system.apply(configuration, kind, hasLabel(kind) ? this.bestLabel(sentence, kind, weights) : 0);
    }
    return configuration;
  }

  private bestKind(weights: TransitionWeights): number {
    const { model, configuration } = this;
    const { system, kindScores } = model;
    model.score(configuration, weights);
    let best = -1;
    for (const kind of system.kinds) {
      if (!system.permits(configuration, kind)) continue;
      if (best === -1 || kindScores[kind] > kindScores[best]) best = kind;
    }
    return best;
  }

  private bestLabel(sentence: EncodedSentence, kind: number, weights: TransitionWeights): number {
    const { model } = this;
    const labels = model.labelsFor(sentence, this.configuration, kind);
    if (labels.length === 1) return labels[0];
    model.scoreLabels(kind, labels, weights);
    let best = 0;
    for (let l = 1; l < labels.length; l++) {
      if (model.labelScores[l] > model.labelScores[best]) best = l;
    }
    return labels[best];
  }
}
