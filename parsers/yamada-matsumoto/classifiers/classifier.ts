import { pairCount, pairOf, scoreByPairs } from '../../../src/learn/svm/multiclass.ts';
import { type PolynomialDegree, PolynomialFeatures } from '../../../src/learn/svm/polynomial-features.ts';
import { rowScores } from '../../../src/learn/svm/row-products.ts';
import { type FeatureSet, MOST_FEATURES } from '../features.ts';

/** A trained classifier as data. */
export interface ClassifierData {
  /** The tag whose examples it has learnt from, and how many they were. */
  readonly tag: number;
  readonly examples: number;
  /** The classes it tells apart, ascending; where it is but one, there are no weights. */
  readonly classes: Int32Array;
  /** The weights of 2^bits subsets of features [subset × classes], or [subset × pairs of classes]. */
  readonly bits: number;
  readonly weights: Int16Array;
  /** One bit a feature: whether any example had it. */
  readonly known: Uint8Array;
}

/** What a feature adds to a score; without a feature, the constant. */
interface FeatureShare {
  readonly feature: number | undefined;
  readonly share: number;
}

/** A class with its score, where it has one. */
interface ClassScore {
  readonly one: number;
  readonly score: number | undefined;
}

/**
 * A support vector machine with a polynomial kernel, for prediction by a score for each class. The kernel is expanded into
 * subsets of features (polynomial.ts). A feature that no example had takes part in no support vector: it is
 * left out, as Jain & Artzi do (“Re-implementing statistical dependency analysis with support vector machines”,
 * §2.3).
 */
export class Classifier {
  protected readonly expansion: PolynomialFeatures;
  protected readonly features = new Int32Array(MOST_FEATURES);
  /** Places, among the classes, of those that a decision is between, and their scores. */
  protected readonly places: Int32Array;
  protected readonly scores: Float64Array;
  /** How many classes the last decision was between. */
  protected rivals = 0;

  constructor(
    readonly data: ClassifierData,
    degree: PolynomialDegree,
    /** Of weights, in a row. */
    columns = data.classes.length,
  ) {
    const { classes, bits } = data;
    this.expansion = new PolynomialFeatures(degree, bits, columns);
    this.places = new Int32Array(classes.length);
    this.scores = new Float64Array(classes.length);
  }

  /** The best of some classes (ascending), of equal ones the first; −1 where it knows none of them. */
  best(example: FeatureSet, among: Int32Array): number {
    const { places, scores } = this;
    const { classes } = this.data;
    const count = this.findPlaces(among);
    this.rivals = count;
    if (count === 0) return -1;
    if (count === 1) return classes[places[0]];
    this.score(example, count);
    let best = 0;
    for (let j = 1; j < count; j++) if (scores[j] > scores[best]) best = j;
    return classes[places[best]];
  }

  /**
   * The scores of some classes (ascending), of those that it knows: without scores where it knows but one of them,
   * which needs none.
   */
  scoresAmong(example: FeatureSet, among: Int32Array): ClassScore[] {
    const { places, scores } = this;
    const count = this.findPlaces(among);
    if (count > 1) this.score(example, count);
    return Array.from({ length: count }, (_, j) => ({
      one: this.data.classes[places[j]],
      score: count > 1 ? scores[j] : undefined,
    }));
  }

  /**
   * What each feature of an example that it knows adds to the score of a class, and the constant, which comes last.
   *
   * @param _rival what the class is set against, for scores that depend on it
   */
  sharesIn(example: FeatureSet, one: number, _rival?: number): FeatureShare[] {
    return this.sharesOf(example, this.data.classes.indexOf(one));
  }

  /** What each feature adds to the sum over a column of weights. */
  protected sharesOf(example: FeatureSet, column: number): FeatureShare[] {
    const { expansion, features } = this;
    const count = this.findKnown(example);
    expansion.expand(features, count);
    const shares = expansion.shares(count, (subset) => this.data.weights[expansion.indices[subset] + column]);
    return Array.from(shares, (share, k) => ({ feature: k < count ? features[k] : undefined, share }));
  }

  /**
   * How probable a class was in the decision made last, where that of a class is proportional to the exponential of its
   * score times `scale`.
   */
  probabilityOf(chosen: number, scale: number): number {
    const { scores, places, rivals } = this;
    if (rivals < 2) return 1;
    let all = 0;
    let own = 0;
    for (let j = 0; j < rivals; j++) if (this.data.classes[places[j]] === chosen) own = scores[j];
    for (let j = 0; j < rivals; j++) all += Math.exp(scale * (scores[j] - own));
    return 1 / all;
  }

  /** Lists the classes that are among some others; gives their number. */
  private findPlaces(among: Int32Array): number {
    const { classes } = this.data;
    let count = 0;
    let place = 0;
    for (let k = 0; k < among.length && place < classes.length; k++) {
      while (place < classes.length && classes[place] < among[k]) place++;
      if (classes[place] === among[k]) this.places[count++] = place;
    }
    return count;
  }

  /** Finds the scores of the classes that are listed. */
  protected score(example: FeatureSet, count: number): void {
    this.sum(example, this.places, count, this.scores);
  }

  /** The sums over some columns of the weights. */
  protected sum(example: FeatureSet, columns: Int32Array, count: number, sums: Float64Array): void {
    const { expansion, features } = this;
    const subsets = expansion.expand(features, this.findKnown(example));
    rowScores(this.data.weights, expansion.indices, expansion.values, subsets, columns, count, sums);
  }

  /** Lists the features of an example that it knows; gives their number. */
  private findKnown(example: FeatureSet): number {
    const { features } = this;
    const { known } = this.data;
    let knownCount = 0;
    for (let k = 0; k < example.count; k++) {
      const feature = example.features[k];
      if ((known[feature >> 3] >> (feature & 7)) & 1) features[knownCount++] = feature;
    }
    return knownCount;
  }
}

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
