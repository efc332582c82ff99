import type { SvmMulticlass } from '../../../src/learn/svm/multiclass.ts';
import { columnsOf, pairCount, pairOf, scoreByPairs } from '../../../src/learn/svm/multiclass.ts';
import { type PolynomialDegree, PolynomialFeatures } from '../../../src/learn/svm/polynomial-features.ts';
import { rowScores } from '../../../src/learn/svm/row-products.ts';
import type { HeaderFields } from '../../../src/model/header-fields.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { type FeatureSet, MOST_FEATURES } from '../features.ts';

/** Limit on tags and numbers of examples: signed 32-bit integers. */
const MOST = 2 ** 31 - 1;

/** A trained classifier as it is saved. */
export interface ClassifierData {
  readonly tag: number;
  /** Number of training examples. */
  readonly examples: number;
  /** The classes it tells apart, ascending; a single class needs no weights. */
  readonly classes: Int32Array;
  /** weights: 2^bits subsets of features × classes (or pairs of classes). */
  readonly bits: number;
  readonly weights: Int16Array;
  /** Bit set of the features that occurred in training. */
  readonly known: Uint8Array;
}

/** The share of a feature in a score; `undefined`: the share of the constant. */
type FeatureShare = { readonly feature: number | undefined; readonly share: number };

/**
 * A classifier with a polynomial kernel, expanded into subsets of features (`PolynomialFeatures`), that scores each class.
 * Features that did not occur in training are left out, as in Jain & Artzi (“Re-implementing statistical dependency
 * analysis with support vector machines”, §2.3).
 */
export class Classifier {
  protected readonly expansion: PolynomialFeatures;
  protected readonly features = new Int32Array(MOST_FEATURES);
  /** The candidates of the last decision as indices into `data.classes`, their scores, and their number. */
  protected readonly places: Int32Array;
  protected readonly scores: Float64Array;
  protected count = 0;

  constructor(
    readonly data: ClassifierData,
    degree: PolynomialDegree,
    columns = data.classes.length,
  ) {
    const { classes, bits } = data;
    this.expansion = new PolynomialFeatures(degree, bits, columns);
    this.places = new Int32Array(classes.length);
    this.scores = new Float64Array(classes.length);
  }

  /** Returns the best of some classes (ascending); ties: the first; −1: it was trained on none of them. */
  best(example: FeatureSet, candidates: Int32Array): number {
    const { places, scores } = this;
    const { classes } = this.data;
    const count = this.findPlaces(candidates);
    this.count = count;
    if (count === 0) return -1;
    if (count === 1) return classes[places[0]];
    this.score(example, count);
    let best = 0;
    for (let j = 1; j < count; j++) if (scores[j] > scores[best]) best = j;
    return classes[places[best]];
  }

  /** Scores the classes among `candidates` that it was trained on; a single one has no score. */
  scoresAmong(example: FeatureSet, candidates: Int32Array): { target: number; score: number | undefined }[] {
    const { places, scores } = this;
    const count = this.findPlaces(candidates);
    if (count > 1) this.score(example, count);
    return Array.from({ length: count }, (_, j) => ({
      target: this.data.classes[places[j]],
      score: count > 1 ? scores[j] : undefined,
    }));
  }

  /** Returns the shares of known features in the score of a class, then of the constant; `_rival`: the class compared with. */
  sharesIn(example: FeatureSet, target: number, _rival?: number): FeatureShare[] {
    return this.sharesOf(example, this.data.classes.indexOf(target));
  }

  protected sharesOf(example: FeatureSet, column: number): FeatureShare[] {
    const { expansion, features } = this;
    const count = this.findKnown(example);
    expansion.expand(features, count);
    const shares = expansion.shares(count, (subset) => this.data.weights[expansion.indices[subset] + column]);
    return Array.from(shares, (share, k) => ({ feature: k < count ? features[k] : undefined, share }));
  }

  /** Returns the probability of a class in the last decision: a softmax over scores times `scale`. */
  probabilityOf(chosen: number, scale: number): number {
    const { scores, places, count } = this;
    if (count < 2) return 1;
    let all = 0;
    let score = 0;
    for (let j = 0; j < count; j++) if (this.data.classes[places[j]] === chosen) score = scores[j];
    for (let j = 0; j < count; j++) all += Math.exp(scale * (scores[j] - score));
    return 1 / all;
  }

  /** Sets `places` to the candidates that it was trained on; returns their number. */
  private findPlaces(candidates: Int32Array): number {
    const { classes } = this.data;
    let count = 0;
    let place = 0;
    for (let k = 0; k < candidates.length && place < classes.length; k++) {
      while (place < classes.length && classes[place] < candidates[k]) place++;
      if (classes[place] === candidates[k]) this.places[count++] = place;
    }
    return count;
  }

  protected score(example: FeatureSet, count: number): void {
    this.sum(example, this.places, count, this.scores);
  }

  protected sum(example: FeatureSet, columns: Int32Array, count: number, sums: Float64Array): void {
    const { expansion, features } = this;
    const subsets = expansion.expand(features, this.findKnown(example));
    rowScores(this.data.weights, expansion.indices, expansion.values, subsets, columns, count, sums);
  }

  /** Sets `features` to the known ones of an example; returns their number. */
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

/** A classifier with a support vector machine for each pair of classes, which vote. */
class PairwiseClassifier extends Classifier {
  private readonly pairs: Int32Array;
  private readonly margins: Float64Array;

  constructor(data: ClassifierData, degree: PolynomialDegree) {
    const pairs = pairCount(data.classes.length);
    super(data, degree, pairs);
    this.pairs = new Int32Array(pairs);
    this.margins = new Float64Array(pairs);
  }

  /** As in `Classifier`, with the margin of two classes as the difference of their scores. */
  override probabilityOf(chosen: number, scale: number): number {
    const { places, count, margins } = this;
    const place = places.subarray(0, count).indexOf(this.data.classes.indexOf(chosen));
    let all = 1;
    for (let j = 0; j < count; j++) {
      if (j < place) all += Math.exp(scale * margins[pairOf(j, place, count)]);
      if (j > place) all += Math.exp(-scale * margins[pairOf(place, j, count)]);
    }
    return 1 / all;
  }

  /** Shares in the machine for the class and its rival; half of its margin counts for the class, half against the rival. */
  override sharesIn(example: FeatureSet, target: number, rival = target): FeatureShare[] {
    const { classes } = this.data;
    const [a, b] = [target, rival].map((each) => classes.indexOf(each));
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
    for (let a = 0; a < count; a++)
      for (let b = a + 1; b < count; b++) pairs[pair++] = pairOf(places[a], places[b], length);
    this.sum(example, pairs, pair, margins);
    scoreByPairs(margins, count, this.scores);
  }
}

/** The kind of all classifiers in a set. */
export type Machines = { readonly degree: PolynomialDegree; readonly multiclass: SvmMulticlass };

/** Classifiers by tag. */
export class ClassifierSet {
  private readonly classifiers: readonly Classifier[];
  private readonly byTag: Classifier[] = [];
  private readonly votes: Int32Array;

  constructor(data: readonly ClassifierData[], { degree, multiclass }: Machines, classCount: number) {
    const Kind = multiclass === 'pairwise' ? PairwiseClassifier : Classifier;
    this.classifiers = data.map((each) => new Kind(each, degree));
    for (const classifier of this.classifiers) this.byTag[classifier.data.tag] = classifier;
    this.votes = new Int32Array(classCount);
  }

  /** Returns the best of some classes (ascending); if the tag has no classifier trained on one, all classifiers vote. */
  best(tag: number, example: FeatureSet, candidates: Int32Array): number {
    const found = this.byTag[tag]?.best(example, candidates) ?? -1;
    return found === -1 ? this.bestByVote(example, candidates) : found;
  }

  /** Returns the probability of the class chosen in the last decision for a tag; 0.5 if all classifiers voted. */
  probabilityOf(tag: number, chosen: number, scale: number): number {
    const decider = this.byTag[tag];
    return decider?.data.classes.includes(chosen) ? decider.probabilityOf(chosen, scale) : 0.5;
  }

  /** Returns the class with most votes, weighted by numbers of training examples. */
  private bestByVote(example: FeatureSet, candidates: Int32Array): number {
    const { votes } = this;
    votes.fill(0);
    for (const classifier of this.classifiers) {
      const found = classifier.best(example, candidates);
      if (found !== -1) votes[found] += classifier.data.examples;
    }
    let best = candidates[0];
    for (const target of candidates) if (votes[target] > votes[best]) best = target;
    return best;
  }

  /** Returns the classifier that decides for a tag among some classes (ascending); undefined: all vote. */
  deciderOf(tag: number, example: FeatureSet, candidates: Int32Array): Classifier | undefined {
    const classifier = this.byTag[tag];
    return classifier === undefined || classifier.best(example, candidates) === -1 ? undefined : classifier;
  }

  /** Returns the data of the classifiers trained on any of the classes, each with its vote as `target`. */
  votesOf(example: FeatureSet, candidates: Int32Array) {
    return this.classifiers
      .map((classifier) => ({ ...classifier.data, target: classifier.best(example, candidates) }))
      .filter(({ target }) => target !== -1);
  }

  save(file: ModelWriter, name: string): object[] {
    return this.classifiers.map(({ data }) => {
      const { tag, examples, bits, classes, weights, known } = data;
      if (classes.length > 1) {
        file.section(`${name}.${tag}.weights`, weights);
        file.section(`${name}.${tag}.known`, known);
      }
      return { tag, examples, bits, classes: [...classes] };
    });
  }
}

export function loadClassifiers(
  file: ModelReader,
  name: string,
  header: readonly HeaderFields[],
  { multiclass }: Machines,
  classCount: number,
): ClassifierData[] {
  return header.map((fields) => {
    const tag = fields.integer('tag', 0, MOST);
    const bits = fields.integer('bits', 1, 30);
    const classes = Int32Array.from(fields.integers('classes', 0));
    const isAscending = classes.every(
      (target, k) => target < classCount && (k === 0 || classes[k - 1] < target),
    );
    if (classes.length === 0 || !isAscending)
      fields.refuse('classes', `one class or more, ascending, below ${classCount}`);
    const isTrained = classes.length > 1;
    const length = columnsOf({ multiclass, classes: classes.length }) * 2 ** bits;
    return {
      tag,
      classes,
      examples: fields.integer('examples', 0, MOST),
      bits,
      weights: isTrained ? file.section(`${name}.${tag}.weights`, 'int16', { length }) : new Int16Array(0),
      known: isTrained ? file.section(`${name}.${tag}.known`, 'uint8') : new Uint8Array(0),
    };
  });
}
