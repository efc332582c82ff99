import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { type Beam, BeamSearch } from '../beam-search.ts';
import { GreedySearch } from '../search.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import { dependentOf, type GoldTree, hasLabel, IDLE, transitionOf } from '../systems/system.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';

/** A configuration that is in the beam after a step. */
export interface Survivor {
  /** Its place in the beam one step before. */
  readonly from: number;
  /** How it came of that; IDLE: it was complete already. */
  readonly by: number;
  readonly score: number;
}

/** How a search came to its tree. */
export interface Derivation {
  /** The transitions that build the tree. */
  readonly transitions: readonly number[];
  /** Of beam search: who was in the beam after each step. */
  readonly beams: readonly (readonly Survivor[])[];
}

/** The search of the parser itself, and the transitions on the way to the tree that it finds. */
export function derivationOf(
  model: TransitionModel,
  sentence: EncodedSentence,
  weights: TransitionWeights,
): Derivation {
  const { beam } = model.settings;
  if (beam === 0) {
    const transitions = [...new GreedySearch(model).transitions(sentence, weights)];
    return { transitions, beams: [] };
  }
  const beams = Array.from(new BeamSearch(model, beam).beams(sentence, weights), survivorsOf);
  return { transitions: bestPath(beams), beams };
}

function survivorsOf({ size, scores, from, by }: Beam): Survivor[] {
  return Array.from({ length: size }, (_, k) => ({ from: from[k], by: by[k], score: scores[k] }));
}

/** For each step, where in the beam the configuration was that the best one at the end comes of. */
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

function bestPath(beams: readonly (readonly Survivor[])[]): number[] {
  return placesOfBest(beams)
    .map((place, step) => beams[step][place].by)
    .filter((transition) => transition !== IDLE);
}

/** For each step, where in the beam the configuration is on the way to the gold tree; −1 from where it falls out. */
export function placesOfGold(beams: readonly (readonly Survivor[])[], gold: readonly number[]): number[] {
  let place = 0;
  return beams.map((beam, step) => {
    const transition = gold[step] ?? IDLE;
    place = beam.findIndex(({ from, by }) => place !== -1 && from === place && by === transition);
    return place;
  });
}

/** The transitions that build a gold tree; undefined where the system cannot build it. */
export function goldTransitions(model: TransitionModel, gold: GoldTree): number[] | undefined {
  const { system } = model;
  const oracle = system.createOracle();
  const configuration = new StackConfiguration();
  const transitions: number[] = [];
  system.start(configuration, gold.length);
  oracle.start(gold);
  while (!system.isComplete(configuration)) {
    const action = oracle.next(configuration);
    if (action === -1 || !system.permits(configuration, action)) return undefined;
    const label = hasLabel(action) ? gold.labels[dependentOf(system, configuration, action)] : 0;
    transitions.push(transitionOf(action, label));
    system.apply(configuration, action, label);
  }
  const isBuilt = gold.heads.every((head, d) => d === 0 || configuration.head(d) === head);
  return isBuilt ? transitions : undefined;
}
