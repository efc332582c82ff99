import { type PolynomialDegree, PolynomialFeatures } from '../../../src/learn/svm/polynomial-features.ts';
import { rowScores } from '../../../src/learn/svm/row-products.ts';
import { type FeatureSet, MOST_FEATURES } from '../features/feature-set.ts';

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
export interface FeatureShare {
  readonly feature: number | undefined;
  readonly share: number;
}

/** A class with its score, where it has one. */
export interface ClassScore {
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
