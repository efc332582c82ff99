import { FeatureDifference } from '../../../src/learn/linear/difference.ts';
import type { Learner } from '../../../src/learn/linear/learner.ts';
import type { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { GraphModel } from '../graph-model.ts';
import type { HigherOrderModel } from '../higher-order/higher-order-model.ts';
import { TreeDifference } from './tree-difference.ts';

/**
 * Learns the weights of parts of trees over candidate arcs, among which right arcs always are: parse, and where
 * heads are wrong move the weights by the difference of the two trees.
 */
export class PartLearning {
  private readonly difference: FeatureDifference;
  private readonly trees: TreeDifference;
  /** Candidates, which stay the same from epoch to epoch, by the number of the example. */
  private readonly candidates: Int32Array[] = [];

  constructor(
    private readonly model: GraphModel,
    private readonly higherOrder: HigherOrderModel,
    private readonly examples: readonly Example[],
    /** Of single arcs, by which candidates are chosen. */
    private readonly arcWeights: Int16Array,
    private readonly weights: AveragedWeights,
    private readonly learner: Learner,
  ) {
    this.difference = new FeatureDifference(weights);
    this.trees = new TreeDifference(higherOrder.parts, this.difference, weights.size - 1);
  }

  /**
   * Learns from what is to be seen of the example of a number, and writes the heads that its own parse had into
   * `found`.
   */
  learn(number: number, example: Example, found: Int32Array): void {
    const { model, higherOrder, weights, learner } = this;
    this.choose(number);
    model.arcs.prepare(example);
    higherOrder.score(example, weights.values);
    this.addCost(example);
    higherOrder.decode(found);
    const wrong = wrongHeads(example, found);
    if (wrong > 0) {
      this.trees.set(example.heads, found, example.length);
      const violation = learner.cost * wrong - this.difference.score();
      const step = learner.step(violation, this.difference);
      if (step !== 0) this.difference.apply(step);
    }
    weights.examples++;
  }

  /** Sets the candidates, which do not depend on what is hidden of an example. */
  private choose(number: number): void {
    const { model, candidates } = this;
    const { candidates: chosen } = this.higherOrder;
    const { length, heads } = this.examples[number];
    if (candidates[number] !== undefined) {
      chosen.restore(length, candidates[number]);
      return;
    }
    this.higherOrder.prune(model.score(this.examples[number], this.arcWeights), length, heads);
    candidates[number] = chosen.toArray();
  }

  private addCost({ heads }: Example): void {
    const { parts, candidates } = this.higherOrder;
    for (let arc = 1; arc < candidates.count; arc++) {
      if (heads[candidates.dependents[arc]] !== candidates.heads[arc]) {
        parts.scores.arcs[arc] += this.learner.cost;
      }
    }
  }
}

function wrongHeads({ length, heads }: Example, found: Int32Array): number {
  let wrong = 0;
  for (let d = 1; d <= length; d++) if (found[d] !== heads[d]) wrong++;
  return wrong;
}
