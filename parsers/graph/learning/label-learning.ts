import { FeatureDifference } from '../../../src/learn/linear/difference.ts';
import type { Learner } from '../../../src/learn/linear/learner.ts';
import type { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { GraphModel } from '../graph-model.ts';
import { indexOfLargest } from '../labels/labeller.ts';

/** Learns label weights from gold arcs: each arc is a multi-class example of its own. */
export class LabelLearning {
  private readonly difference: FeatureDifference;

  constructor(
    private readonly model: GraphModel,
    private readonly weights: AveragedWeights,
    private readonly learner: Learner,
  ) {
    this.difference = new FeatureDifference(weights);
  }

  /** Learns from the arcs of one sentence, and writes the labels that it would have given into `found`. */
  learn(example: Example, found: Int32Array): void {
    const { model, weights } = this;
    model.labeller.features.prepare(example, example.heads);
    for (let d = 1; d <= example.length; d++) {
      const candidates = model.numbering.candidates.of(example, example.heads[d], d);
      found[d] = candidates.length === 1 ? candidates[0] : this.learnArc(example, d, candidates);
    }
    weights.examples++;
  }

  private learnArc({ heads, labels }: Example, d: number, candidates: Int32Array): number {
    const { difference, learner, weights } = this;
    const { labeller } = this.model;
    const { scores } = labeller;
    labeller.score(weights.values, heads[d], d, candidates);
    const gold = candidates.indexOf(labels[d]);
    const answer = candidates[indexOfLargest(scores, candidates.length)];
    scores[gold] -= learner.cost;
    const worst = indexOfLargest(scores, candidates.length);
    if (worst !== gold) {
      difference.clear();
      this.add(candidates[gold], 1);
      this.add(candidates[worst], -1);
      difference.apply(learner.step(scores[worst] - scores[gold], difference));
    }
    return answer;
  }

  /** Adds the features of the arc last scored, with a label, to the difference. */
  private add(label: number, sign: 1 | -1): void {
    const { difference, weights } = this;
    const { count, features } = this.model.labeller;
    const { hashes } = features;
    const mask = weights.size - 1;
    for (let k = 0; k < count; k++) difference.add((hashes[k] ^ label) & mask, sign);
  }
}
