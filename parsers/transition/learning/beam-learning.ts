import type { Learner } from '../../../src/learn/linear/learner.ts';
import type { Example } from '../../../src/training/examples.ts';
import { BeamSearch } from '../beam-search.ts';
import type { OnlineSettings } from '../options.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import { actionOf, goldTransitions, IDLE, labelOf, type Oracle, UNBUILDABLE } from '../systems/system.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { type LearntWeights, TransitionDifference } from './greedy-learning.ts';

/**
 * Learning by beam search (Zhang & Clark 2008). If the gold derivation is not the best, learns from both up to some step:
 * where gold falls out of the beam (early update: Collins & Roark 2004, P04-1015), or where the best leads it most
 * (maximum violation: Huang, Fayong & Guo 2012, N12-1015). MIRA, too, learns from violations of the search that the
 * parser uses: its step makes the gold derivation lead the other, up to there, by one unit for each wrong transition. A
 * search with costs on wrong arcs, as in graph parsers, is worse: 81.8 UAS, not 84.6 (3,000 sentences of UD English EWT,
 * 5 epochs, beam of 4).
 */
export class BeamLearning {
  private readonly search: BeamSearch;
  private readonly configuration = new StackConfiguration();
  private readonly oracle: Oracle;
  private readonly values: TransitionWeights;
  private readonly difference: TransitionDifference;
  private readonly isEarly: boolean;
  /** Number of transitions after which derivations are compared, and the lead of the best over gold there. */
  private end = 0;
  private violation = 0;

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: LearntWeights,
    private readonly learner: Learner,
    { beam, update }: OnlineSettings,
  ) {
    this.search = new BeamSearch(model, beam);
    this.oracle = model.system.createOracle();
    this.isEarly = update === 'early';
    this.values = { actions: weights.actions.values, labels: weights.labels.values };
    this.difference = new TransitionDifference(model, weights);
  }

  learn(example: Example): void {
    const { model, search, weights } = this;
    const transitions = goldTransitions(model.system, this.oracle, this.configuration, example);
    if (transitions === undefined) throw new Error(UNBUILDABLE);
    const gold = Int32Array.from(transitions);
    const steps = search.searchAlong(example, this.values, gold, this.isEarly);
    if (!search.isGoldBest) {
      this.chooseEnd(example, gold, steps);
      this.update(example, gold);
    }
    weights.actions.examples++;
    weights.labels.examples++;
  }

  /** Sets the end to the last step with early updates, else to the last step of the largest violation. */
  private chooseEnd(example: Example, gold: Int32Array, steps: number): void {
    const { model, configuration, search, values } = this;
    model.system.start(configuration, example.length);
    let goldScore = 0;
    this.violation = Number.NEGATIVE_INFINITY;
    for (let s = 0; s < steps; s++) {
      if (s < gold.length) {
        model.score(configuration, values);
        goldScore += model.scoreOf(actionOf(gold[s]), labelOf(gold[s]), values);
        model.system.apply(configuration, actionOf(gold[s]), labelOf(gold[s]));
      }
      const violation = search.bestScore(s + 1) - goldScore;
      if (violation < this.violation && !this.isEarly) continue;
      this.violation = violation;
      this.end = s + 1;
    }
  }

  private update(example: Example, gold: Int32Array): void {
    const { end, search, difference, learner } = this;
    const path = search.path(end);
    let start = 0;
    while (start < end && path[start] === gold[start]) start++;
    let wrong = 0;
    for (let s = start; s < end; s++) if (path[s] !== (s < gold.length ? gold[s] : IDLE)) wrong++;
    difference.clear();
    this.add(example, gold, start, Math.min(end, gold.length), 1);
    this.add(example, path, start, end, -1);
    difference.apply(learner.step(this.violation + learner.cost * wrong, difference));
  }

  private add(example: Example, path: Int32Array, start: number, end: number, sign: 1 | -1): void {
    const { model, configuration, difference } = this;
    const { system, features } = model;
    system.start(configuration, example.length);
    for (let s = 0; s < end; s++) {
      if (path[s] === IDLE) return;
      const action = actionOf(path[s]);
      const label = labelOf(path[s]);
      if (s >= start) {
        features.extract(configuration);
        difference.add(action, label, sign);
      }
      system.apply(configuration, action, label);
    }
  }
}
