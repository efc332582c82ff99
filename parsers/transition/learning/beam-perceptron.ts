import type { Example } from '../../../src/training/examples.ts';
import type { PerceptronSettings } from '../options.ts';
import { actionOf, BeamSearch, IDLE, labelOf, transitionOf } from '../search/beam-search.ts';
import { hasLabel } from '../systems/actions.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import { dependentOf, nextAction, type Oracle } from '../systems/system.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { addTransition, type LearntWeights } from './updates.ts';

/** The transitions that build a gold tree, which the system must be able to build. */
function derivation(
  model: TransitionModel,
  configuration: StackConfiguration,
  oracle: Oracle,
  gold: Example,
): Int32Array {
  const { system } = model;
  const transitions: number[] = [];
  system.start(configuration, gold.length);
  oracle.start(gold);
  while (!system.isComplete(configuration)) {
    const action = nextAction(oracle, configuration);
    const label = hasLabel(action) ? gold.labels[dependentOf(system, configuration, action)] : 0;
    transitions.push(transitionOf(action, label));
    system.apply(configuration, action, label);
  }
  return Int32Array.from(transitions);
}

/**
 * Averaged-perceptron learning by beam search (Zhang & Clark 2008): where the gold derivation is not the best,
 * learns from both up to where it falls out of the beam (early update: Collins & Roark 2004, P04-1015), or up
 * to where the best is furthest above it (maximum violation: Huang, Fayong & Guo 2012, N12-1015).
 */
export class BeamPerceptron {
  private readonly search: BeamSearch;
  private readonly configuration = new StackConfiguration();
  private readonly oracle: Oracle;
  private readonly values: TransitionWeights;
  private readonly isEarly: boolean;

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: LearntWeights,
    { beam, update }: PerceptronSettings,
  ) {
    this.search = new BeamSearch(model, beam);
    this.oracle = model.system.createOracle();
    this.isEarly = update === 'early';
    this.values = { actions: weights.actions.values, labels: weights.labels.values };
  }

  /** Learns from a sentence, whose tree the system must be able to build. */
  learn(example: Example): void {
    const { model, search, weights } = this;
    const gold = derivation(model, this.configuration, this.oracle, example);
    const steps = search.searchAlong(example, this.values, gold, this.isEarly);
    if (!search.isGoldBest) {
      const end = this.isEarly ? steps : this.worstStep(example, gold, steps);
      const path = search.path(end);
      let start = 0;
      while (start < end && path[start] === gold[start]) start++;
      this.update(example, gold, start, Math.min(end, gold.length), 1);
      this.update(example, path, start, end, -1);
    }
    weights.actions.examples++;
    weights.labels.examples++;
  }

  /** After how many transitions the best is furthest above the gold derivation, of equals the last. */
  private worstStep(example: Example, gold: Int32Array, steps: number): number {
    const { model, configuration, search, values } = this;
    model.system.start(configuration, example.length);
    let goldScore = 0;
    let largest = Number.NEGATIVE_INFINITY;
    let worst = steps;
    for (let s = 0; s < steps; s++) {
      if (s < gold.length) {
        model.score(configuration, values);
        goldScore += model.scoreOf(actionOf(gold[s]), labelOf(gold[s]), values);
        model.system.apply(configuration, actionOf(gold[s]), labelOf(gold[s]));
      }
      const violation = search.bestScore(s + 1) - goldScore;
      if (violation < largest) continue;
      largest = violation;
      worst = s + 1;
    }
    return worst;
  }

  /** Adds `step` to the weights of what the transitions from `start` on were made by. */
  private update(example: Example, path: Int32Array, start: number, end: number, step: number): void {
    const { model, configuration, weights } = this;
    const { system, features } = model;
    system.start(configuration, example.length);
    for (let s = 0; s < end; s++) {
      if (path[s] === IDLE) return;
      const action = actionOf(path[s]);
      const label = labelOf(path[s]);
      if (s >= start) {
        features.extract(configuration);
        addTransition(model, weights, action, label, step);
      }
      system.apply(configuration, action, label);
    }
  }
}
