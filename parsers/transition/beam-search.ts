import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { UNIT } from '../../src/learn/linear/learner.ts';
import { StackConfiguration } from './systems/stack-configuration.ts';
import { actionOf, hasLabel, IDLE, labelOf, transitionOf } from './systems/system.ts';
import type { TransitionModel, TransitionWeights } from './transition-model.ts';

/** Scale of scores for probabilities, chosen for calibration on held-out data. */
export const SCALE = 1 / (32 * UNIT);

/** Beam search by sums of scores (Zhang & Clark 2008, D08-1059); ties: the first found. */
export class BeamSearch {
  private items: StackConfiguration[];
  private nextItems: StackConfiguration[];
  private scores: Float64Array;
  private nextScores: Float64Array;
  /** By place in the next beam: the place of the predecessor, and the transition from it. */
  private readonly from: Int32Array;
  private readonly by: Int32Array;
  private size = 0;
  private nextSize = 0;
  /** `from` and `by` of all steps, step s from s * beam on; and the best score after each number of steps. */
  private history = historyOf(0);
  private keepsHistory = false;
  steps = 0;
  /** Place in the beam of the configuration on the way to the gold tree; −1: not in it. */
  private goldItem = -1;

  constructor(
    private readonly model: TransitionModel,
    private readonly beam: number,
  ) {
    this.items = Array.from({ length: beam }, () => new StackConfiguration());
    this.nextItems = Array.from({ length: beam }, () => new StackConfiguration());
    this.scores = new Float64Array(beam + 1);
    this.nextScores = new Float64Array(beam + 1);
    this.from = new Int32Array(beam + 1);
    this.by = new Int32Array(beam + 1);
  }

  /** Returns the best complete configuration. @param derivation receives the transitions to it */
  best(sentence: EncodedSentence, weights: TransitionWeights, derivation?: number[]): StackConfiguration {
    this.start(sentence);
    this.keepsHistory = derivation !== undefined;
    while (this.advance(sentence, weights));
    this.keepsHistory = false;
    if (derivation !== undefined)
      for (const transition of this.path(this.steps)) if (transition !== IDLE) derivation.push(transition);
    return this.items[0];
  }

  /** Searches, and returns the beam after each step. */
  beams(sentence: EncodedSentence, weights: TransitionWeights): BeamItem[][] {
    const beams: BeamItem[][] = [];
    this.start(sentence);
    while (this.advance(sentence, weights)) {
      const { size, scores, from, by } = this;
      beams.push(Array.from({ length: size }, (_, k) => ({ from: from[k], by: by[k], score: scores[k] })));
    }
    return beams;
  }

  /** The final configurations of the last search, the best first. */
  survivors(): Survivor[] {
    const { items, scores, size } = this;
    return items
      .slice(0, size)
      .map((configuration, k) => ({ configuration, weight: Math.exp(SCALE * (scores[k] - scores[0])) }));
  }

  /** Searches to the end or, if `early`, until gold falls out of the beam; returns the number of steps. */
  searchAlong(sentence: EncodedSentence, weights: TransitionWeights, gold: Int32Array, early: boolean) {
    this.start(sentence);
    while ((!early || this.goldItem !== -1) && this.advance(sentence, weights, gold));
    return this.steps;
  }

  bestScore(steps: number): number {
    return this.history.scores[steps];
  }

  get isGoldBest(): boolean {
    return this.goldItem === 0;
  }

  /** The transitions to the best configuration after a number of steps. */
  path(steps: number): Int32Array {
    const { beam, history } = this;
    const path = new Int32Array(steps);
    let item = 0;
    for (let step = steps - 1; step >= 0; step--) {
      path[step] = history.by[step * beam + item];
      item = history.from[step * beam + item];
    }
    return path;
  }

  private start(sentence: EncodedSentence): void {
    this.model.features.prepare(sentence);
    this.model.system.start(this.items[0], sentence.length);
    this.scores[0] = 0;
    this.size = 1;
    this.steps = 0;
    this.goldItem = 0;
  }

  /** Advances by one transition; returns false if all configurations are complete. */
  private advance(sentence: EncodedSentence, weights: TransitionWeights, gold?: Int32Array): boolean {
    const { model, items, size, by, from } = this;
    this.nextSize = 0;
    for (let item = 0; item < size; item++) {
      if (model.system.isComplete(items[item])) this.offer(this.scores[item], item, IDLE);
      else this.expand(sentence, item, weights);
    }
    let isDone = true;
    for (let k = 0; k < this.nextSize; k++) if (by[k] !== IDLE) isDone = false;
    if (isDone) return false;
    if (gold !== undefined) this.followGold(this.steps < gold.length ? gold[this.steps] : IDLE);
    if (gold !== undefined || this.keepsHistory) this.record();
    for (let k = 0; k < this.nextSize; k++) {
      const next = this.nextItems[k];
      next.copy(items[from[k]]);
      if (by[k] !== IDLE) model.system.apply(next, actionOf(by[k]), labelOf(by[k]));
    }
    [this.items, this.nextItems] = [this.nextItems, this.items];
    [this.scores, this.nextScores] = [this.nextScores, this.scores];
    this.size = this.nextSize;
    return true;
  }

  private expand(sentence: EncodedSentence, item: number, weights: TransitionWeights): void {
    const { model } = this;
    const { system } = model;
    const configuration = this.items[item];
    const score = this.scores[item];
    model.score(configuration, weights);
    for (const action of system.actions) {
      if (!system.permits(configuration, action)) continue;
      const actionScore = score + model.actionScores[action];
      if (!hasLabel(action)) {
        this.offer(actionScore, item, transitionOf(action, 0));
        continue;
      }
      const labels = model.labelsFor(sentence, configuration, action);
      model.scoreLabels(action, labels, weights);
      for (let l = 0; l < labels.length; l++)
        this.offer(actionScore + model.labelScores[l], item, transitionOf(action, labels[l]));
    }
  }

  /** Inserts a transition into the sorted next beam, if it is good enough. */
  private offer(score: number, item: number, transition: number): void {
    const { nextScores, from, by, beam } = this;
    let k = this.nextSize;
    if (k === beam && score <= nextScores[k - 1]) return;
    if (k < beam) this.nextSize++;
    else k--;
    for (; k > 0 && nextScores[k - 1] < score; k--) {
      nextScores[k] = nextScores[k - 1];
      from[k] = from[k - 1];
      by[k] = by[k - 1];
    }
    nextScores[k] = score;
    from[k] = item;
    by[k] = transition;
  }

  private followGold(transition: number): void {
    const before = this.goldItem;
    this.goldItem = -1;
    for (let k = 0; k < this.nextSize; k++)
      if (this.from[k] === before && this.by[k] === transition) this.goldItem = k;
  }

  private record(): void {
    const { history, beam, steps, nextSize } = this;
    const end = (steps + 1) * beam;
    if (history.by.length < end) {
      this.history = historyOf(2 * end);
      this.history.from.set(history.from);
      this.history.by.set(history.by);
      this.history.scores.set(history.scores);
    }
    this.history.from.set(this.from.subarray(0, nextSize), steps * beam);
    this.history.by.set(this.by.subarray(0, nextSize), steps * beam);
    this.history.scores[++this.steps] = this.nextScores[0];
  }
}

/** A final configuration, and the exponential of its scaled score relative to the best one. */
export interface Survivor {
  readonly configuration: StackConfiguration;
  readonly weight: number;
}

export const totalWeight = (survivors: readonly Survivor[]): number =>
  survivors.reduce((sum, { weight }) => sum + weight, 0);

/** A configuration in a beam. */
export interface BeamItem {
  /** Place of its predecessor in the beam before. */
  readonly from: number;
  /** The transition from there; IDLE if it was complete already. */
  readonly by: number;
  readonly score: number;
}

function historyOf(size: number) {
  return { from: new Int32Array(size), by: new Int32Array(size), scores: new Float64Array(size + 1) };
}
