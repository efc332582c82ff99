import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { StackConfiguration } from '../systems/stack-configuration.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { BeamSearch } from './beam-search.ts';
import { GreedySearch } from './greedy-search.ts';

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
