import { EisnerKBest } from '../../../src/decode/eisner-k-best.ts';
import { hildreth, type Learner } from '../../../src/learn/linear/learner.ts';
import { type AveragedWeights, FeatureDifference } from '../../../src/learn/linear/weights.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { GraphModel } from '../graph-model.ts';
import { indexOfLargest } from '../labeller.ts';

/** Learns arc weights by k-best MIRA (McDonald et al. 2005, P05-1012); the margin of a tree is its number of wrong heads. */
export class ArcLearning {
  private readonly kBest: EisnerKBest | undefined;
  private readonly hashes: Int32Array;
  /** The k best trees of the current sentence, the gold tree's feature difference from each, and their violations. */
  private readonly trees: Int32Array[] = [];
  private readonly differences: readonly FeatureDifference[];
  private readonly violations: Float64Array;
  private readonly gram: Float64Array;
  private readonly steps: Float64Array;

  constructor(
    private readonly model: GraphModel,
    private readonly weights: AveragedWeights,
    private readonly learner: Learner,
    k: number,
  ) {
    this.kBest = k > 1 ? new EisnerKBest(model.settings, k) : undefined;
    this.hashes = new Int32Array(model.arcs.mostPerArc);
    this.differences = Array.from({ length: k }, () => new FeatureDifference(weights));
    this.violations = new Float64Array(k);
    this.gram = new Float64Array(k * k);
    this.steps = new Float64Array(k);
  }

  /** Learns from a sentence, and writes the heads found before the update into `found`. */
  learn(example: Example, found: Int32Array): void {
    const { model, weights, learner } = this;
    const { length, heads } = example;
    const scores = model.score(example, weights.values);
    // Every token has one head: subtracting from the right arcs equals adding to all wrong ones.
    if (learner.cost > 0)
      for (let d = 1; d <= length; d++) scores[heads[d] * (length + 1) + d] -= learner.cost;
    this.update(example, scores, this.parse(scores, length, found));
    weights.examples++;
  }

  /** Finds the k best trees, and writes the best into `found`; returns their number. */
  private parse(scores: Float32Array, length: number, found: Int32Array): number {
    const { model, kBest, trees } = this;
    trees[0] = found;
    if (kBest === undefined) {
      model.decoder.decode(scores, length, found);
      return 1;
    }
    for (let t = 1; t < this.differences.length; t++)
      if (trees[t] === undefined || trees[t].length <= length) trees[t] = new Int32Array(2 * length + 1);
    return kBest.decode(scores, length, trees);
  }

  private update(example: Example, scores: Float32Array, count: number): void {
    const { trees, differences, violations, steps } = this;
    for (let t = 0; t < count; t++) violations[t] = this.compare(example, scores, trees[t], differences[t]);
    if (count === 1) steps[0] = this.learner.step(violations[0], differences[0]);
    else this.solve(count);
    for (let t = 0; t < count; t++) differences[t].apply(steps[t]);
  }

  /** Sets `difference` to the features of the gold tree minus the features of `found`; returns how much higher `found` scores. */
  private compare(
    { length, heads }: Example,
    scores: Float32Array,
    found: Int32Array,
    difference: FeatureDifference,
  ): number {
    let violation = 0;
    difference.clear();
    for (let d = 1; d <= length; d++) {
      if (found[d] === heads[d]) continue;
      violation += scores[found[d] * (length + 1) + d] - scores[heads[d] * (length + 1) + d];
      this.addArc(heads[d], d, difference, 1);
      this.addArc(found[d], d, difference, -1);
    }
    return violation;
  }

  private addArc(head: number, dependent: number, difference: FeatureDifference, sign: 1 | -1): void {
    const { hashes, model, weights } = this;
    const count = model.arcs.list(head, dependent, hashes);
    const mask = weights.size - 1;
    for (let k = 0; k < count; k++) difference.add(hashes[k] & mask, sign);
  }

  private solve(count: number): void {
    const { differences, violations, gram, steps } = this;
    steps.fill(0);
    // The best tree has the largest violation; if it has none, no tree has.
    if (violations[0] <= 0) return;
    for (let i = 0; i < count; i++) {
      for (let j = i; j < count; j++)
        gram[i * count + j] = gram[j * count + i] = differences[i].product(differences[j]);
    }
    hildreth(gram, violations, count, steps);
    const { weight = 1 } = this.learner;
    for (let t = 0; t < count; t++) steps[t] = Math.round(weight * steps[t]);
  }
}

/** Learns the weights of labels on the arcs of the gold tree. */
export class LabelLearning {
  private readonly difference: FeatureDifference;

  constructor(
    private readonly model: GraphModel,
    private readonly weights: AveragedWeights,
    private readonly learner: Learner,
  ) {
    this.difference = new FeatureDifference(weights);
  }

  /** Learns from a sentence, and writes the labels predicted before the update into `found`. */
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

  private add(label: number, sign: 1 | -1): void {
    const { difference, weights } = this;
    const { count, features, codes } = this.model.labeller;
    const code = codes[label];
    const { hashes } = features;
    const mask = weights.size - 1;
    for (let k = 0; k < count; k++) difference.add((hashes[k] ^ code) & mask, sign);
  }
}
