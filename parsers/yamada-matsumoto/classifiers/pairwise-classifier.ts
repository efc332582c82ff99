import { pairCount, pairOf, scoreByPairs } from '../../../src/learn/svm/pairs.ts';
import type { PolynomialDegree } from '../../../src/learn/svm/polynomial-features.ts';
import type { FeatureSet } from '../features/feature-set.ts';
import { Classifier, type ClassifierData, type FeatureShare } from './classifier.ts';

/** A machine for each pair of classes: the class that most of them prefer is the best. */
export class PairwiseClassifier extends Classifier {
  /** The pairs of the classes that a decision is between, as columns of the weights, and their margins. */
  private readonly pairs: Int32Array;
  private readonly margins: Float64Array;

  constructor(data: ClassifierData, degree: PolynomialDegree) {
    const pairs = pairCount(data.classes.length);
    super(data, degree, pairs);
    this.pairs = new Int32Array(pairs);
    this.margins = new Float64Array(pairs);
  }

  /** By the margins of the class over each of the others, as if they were differences of scores. */
  override probabilityOf(chosen: number, scale: number): number {
    const { places, rivals, margins } = this;
    const own = places.subarray(0, rivals).indexOf(this.data.classes.indexOf(chosen));
    let all = 1;
    for (let j = 0; j < rivals; j++) {
      if (j < own) all += Math.exp(scale * margins[pairOf(j, own, rivals)]);
      if (j > own) all += Math.exp(-scale * margins[pairOf(own, j, rivals)]);
    }
    return 1 / all;
  }

  /** In the machine that knows the class and its rival alone: half of its margin for the one, half against the other. */
  override sharesIn(example: FeatureSet, one: number, rival = one): FeatureShare[] {
    const { classes } = this.data;
    const [a, b] = [one, rival].map((each) => classes.indexOf(each));
    if (a === b) return [];
    const half = a < b ? 0.5 : -0.5;
    return this.sharesOf(example, pairOf(Math.min(a, b), Math.max(a, b), classes.length)).map(
      ({ feature, share }) => ({ feature, share: half * share }),
    );
  }

  protected override score(example: FeatureSet, count: number): void {
    const { places, pairs, margins } = this;
    const { length } = this.data.classes;
    let pair = 0;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) pairs[pair++] = pairOf(places[a], places[b], length);
    }
    this.sum(example, pairs, pair, margins);
    scoreByPairs(margins, count, this.scores);
  }
}
