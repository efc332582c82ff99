import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { StackConfiguration } from '../systems/stack-configuration.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { BeamSearch } from './beam-search.ts';
import { GreedySearch } from './greedy-search.ts';

/** Finds the tree of a sentence by transitions; what it returns is valid until the next search. */
export interface Search {
  best(sentence: EncodedSentence, weights: TransitionWeights): StackConfiguration;
}

/** The search that a model's settings ask for. */
export function searchFor(model: TransitionModel): Search {
  const { beam } = model.settings;
  return beam === 0 ? new GreedySearch(model) : new BeamSearch(model, beam);
}
