import { FeatureDifference } from '../../src/learn/difference.ts';
import type { Learner } from '../../src/learn/learner.ts';
import type { AveragedWeights } from '../../src/learn/weights.ts';
import type { GraphModel } from './graph-model.ts';
import type { Example } from './training-data.ts';

/** Learns arc weights from trees: parse, and where heads are wrong move the weights by the difference of the two trees. */
export class ArcLearning {
  private readonly difference: FeatureDifference;
  private readonly hashes: Int32Array;

  constructor(
    private readonly model: GraphModel,
    private readonly weights: AveragedWeights,
    private readonly learner: Learner,
  ) {
    this.difference = new FeatureDifference(weights);
    this.hashes = new Int32Array(model.arcs.mostPerArc);
  }

  /** Learns from one sentence, and writes the heads that its own parse had into `found`. */
  learn(example: Example, found: Int32Array): void {
    const { model, weights, learner } = this;
    const { length, heads } = example;
    const scores = model.score(example, weights.values);
    // Every token has one head: to take from the right arcs is to give to all wrong ones.
    if (learner.cost > 0) {
      for (let d = 1; d <= length; d++) scores[heads[d] * (length + 1) + d] -= learner.cost;
    }
    model.decode(scores, length, found);
    this.update(example, scores, found);
    weights.examples++;
  }

  private update({ length, heads }: Example, scores: Float32Array, found: Int32Array): void {
    const { difference, hashes, model, learner } = this;
    let wrong = 0;
    let violation = 0;
    difference.clear();
    for (let d = 1; d <= length; d++) {
      if (found[d] === heads[d]) continue;
      wrong++;
      violation += scores[found[d] * (length + 1) + d] - scores[heads[d] * (length + 1) + d];
      difference.add(hashes, model.arcs.list(heads[d], d, hashes), 0, 1);
      difference.add(hashes, model.arcs.list(found[d], d, hashes), 0, -1);
    }
    if (wrong > 0) difference.apply(learner.step(violation, difference));
  }
}
