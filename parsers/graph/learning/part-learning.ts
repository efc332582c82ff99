import type { Learner } from '../../../src/learn/linear/learner.ts';
import { type AveragedWeights, FeatureDifference } from '../../../src/learn/linear/weights.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { PartFeatures } from '../features/part-features.ts';
import type { GraphModel, HigherOrderModel } from '../graph-model.ts';
import { layoutOfArc, layoutOfGrandparent, NO_TOKEN, SiblingLinks, type TreeParts } from '../tree-parts.ts';

/** Learns the weights of a higher-order model by MIRA over the candidates that the first-order model leaves. */
export class PartLearning {
  private readonly difference: FeatureDifference;
  private readonly trees: TreeDifference;
  /** Candidate arcs by the number of the example; the same in every epoch, as the weights that prune are fixed. */
  private readonly candidates: Int32Array[] = [];

  constructor(
    private readonly model: GraphModel,
    private readonly higherOrder: HigherOrderModel,
    private readonly examples: readonly Example[],
    private readonly arcWeights: Int16Array,
    private readonly weights: AveragedWeights,
    private readonly learner: Learner,
  ) {
    this.difference = new FeatureDifference(weights);
    this.trees = new TreeDifference(higherOrder.parts, this.difference, weights.size - 1);
  }

  /** Learns from an example after word dropout; writes the heads found before the update into `found`. */
  learn(number: number, example: Example, found: Int32Array): void {
    const { model, higherOrder, weights, learner } = this;
    this.setCandidates(number);
    model.arcs.prepare(example);
    higherOrder.score(example, weights.values);
    this.addCost(example);
    higherOrder.decode(found);
    let wrong = 0;
    for (let d = 1; d <= example.length; d++) if (found[d] !== example.heads[d]) wrong++;
    if (wrong > 0) {
      this.trees.set(example.heads, found, example.length);
      const violation = learner.cost * wrong - this.difference.score();
      this.difference.apply(learner.step(violation, this.difference));
    }
    weights.examples++;
  }

  private setCandidates(number: number): void {
    const { model, candidates } = this;
    const { candidates: current } = this.higherOrder;
    const { length, heads } = this.examples[number];
    if (candidates[number] !== undefined) {
      current.restore(length, candidates[number]);
      return;
    }
    this.higherOrder.prune(model.score(this.examples[number], this.arcWeights), length, heads);
    candidates[number] = current.toArray();
  }

  private addCost({ heads }: Example): void {
    const { parts, candidates } = this.higherOrder;
    for (let arc = 1; arc < candidates.count; arc++) {
      if (heads[candidates.dependents[arc]] !== candidates.heads[arc])
        parts.scores.arcs[arc] += this.learner.cost;
    }
  }
}

/** The features of the gold tree minus another tree's, over the parts that only one of them has. */
export class TreeDifference {
  private readonly hashes: Int32Array;
  private readonly right = new SiblingLinks();
  private readonly found = new SiblingLinks();

  constructor(
    private readonly parts: TreeParts,
    private readonly difference: FeatureDifference,
    private readonly mask: number,
  ) {
    this.hashes = new Int32Array(parts.mostPerPart);
  }

  set(right: Int32Array, found: Int32Array, n: number): void {
    this.difference.clear();
    this.right.link(right, n);
    this.found.link(found, n);
    for (let d = 1; d <= n; d++) this.compare(right, found, d);
    for (let side = 0; side < 2 * (n + 1); side++) {
      const last = this.right.last[side];
      const other = this.found.last[side];
      if (last === other) continue;
      if (last !== NO_TOKEN) this.addSiblings(right[last], last, NO_TOKEN, last, 1);
      if (other !== NO_TOKEN) this.addSiblings(found[other], other, NO_TOKEN, other, -1);
    }
  }

  private compare(right: Int32Array, found: Int32Array, d: number): void {
    const isArc = right[d] === found[d];
    const isPair = isArc && this.right.inner[d] === this.found.inner[d];
    const isGrand = isArc && right[right[d]] === found[found[d]];
    if (!isArc) {
      this.add(this.parts.arcs.list(right[d], d, this.hashes), 1);
      this.add(this.parts.arcs.list(found[d], d, this.hashes), -1);
    }
    if (!isPair) {
      this.addSiblings(right[d], this.right.inner[d], d, d, 1);
      this.addSiblings(found[d], this.found.inner[d], d, d, -1);
    }
    if (!isGrand) {
      this.addGrandparent(right, d, 1);
      this.addGrandparent(found, d, -1);
    }
    if (!isPair || !isGrand) {
      this.addGrandsibling(right, this.right.inner[d], d, 1);
      this.addGrandsibling(found, this.found.inner[d], d, -1);
    }
  }

  /** @param to the dependent whose side of h counts: `inner` and `outer` may be `NO_TOKEN` */
  private addSiblings(h: number, inner: number, outer: number, to: number, sign: 1 | -1): void {
    this.addPart(this.parts.siblings, [h, inner, outer], layoutOfArc(h, to), sign);
  }

  private addGrandparent(heads: Int32Array, d: number, sign: 1 | -1): void {
    const h = heads[d];
    const g = heads[h];
    if (h !== 0) this.addPart(this.parts.grandparents, [g, h, d], layoutOfGrandparent(g, h, d), sign);
  }

  private addGrandsibling(heads: Int32Array, inner: number, d: number, sign: 1 | -1): void {
    const h = heads[d];
    const g = heads[h];
    if (h !== 0) this.addPart(this.parts.grandsiblings, [g, h, inner, d], layoutOfGrandparent(g, h, d), sign);
  }

  private addPart(features: PartFeatures, part: readonly number[], layout: number, sign: 1 | -1): void {
    this.add(features.list(part, layout, this.hashes), sign);
  }

  private add(count: number, sign: 1 | -1): void {
    const { hashes, mask, difference } = this;
    for (let k = 0; k < count; k++) difference.add(hashes[k] & mask, sign);
  }
}
