import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { BeamSearch, type Survivor } from '../beam-search.ts';
import { GreedySearch } from '../search.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import { type GoldTree, goldTransitions, IDLE } from '../systems/system.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';

export interface Derivation {
  readonly transitions: readonly number[];
  readonly beams: readonly (readonly Survivor[])[];
}

/** Runs the parser's own search, and records the transitions to the tree that it finds. */
export function derivationOf(model: TransitionModel, sentence: EncodedSentence, weights: TransitionWeights) {
  const { beam } = model.settings;
  if (beam === 0) {
    const transitions: number[] = [];
    new GreedySearch(model).best(sentence, weights, transitions);
    return { transitions, beams: [] };
  }
  const beams = new BeamSearch(model, beam).beams(sentence, weights);
  const transitions = placesOfBest(beams)
    .map((place, step) => beams[step][place].by)
    .filter((transition) => transition !== IDLE);
  return { transitions, beams };
}

/** By step: place in the beam of the configuration that leads to the best one at the end. */
export function placesOfBest(beams: readonly (readonly Survivor[])[]): number[] {
  let place = 0;
  return beams
    .toReversed()
    .map((beam) => {
      const here = place;
      place = beam[here].from;
      return here;
    })
    .reverse();
}

/** By step: place in the beam of the configuration on the way to the gold tree; −1 after it has fallen out. */
export function placesOfGold(beams: readonly (readonly Survivor[])[], gold: readonly number[]): number[] {
  let place = 0;
  return beams.map((beam, step) => {
    const transition = gold[step] ?? IDLE;
    place = beam.findIndex(({ from, by }) => place !== -1 && from === place && by === transition);
    return place;
  });
}

/** The transitions that build a gold tree; undefined if the system cannot build it. */
export function goldPathOf({ system }: TransitionModel, gold: GoldTree): number[] | undefined {
  const configuration = new StackConfiguration();
  const transitions = goldTransitions(system, system.createOracle(), configuration, gold);
  const isBuilt = gold.heads.every((head, d) => d === 0 || configuration.head(d) === head);
  return isBuilt ? transitions : undefined;
}
