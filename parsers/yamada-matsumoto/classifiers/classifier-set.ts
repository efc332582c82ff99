import { columnsOf, type SvmMulticlass } from '../../../src/learn/svm/multiclass.ts';
import type { PolynomialDegree } from '../../../src/learn/svm/polynomial-features.ts';
import type { HeaderFields } from '../../../src/model/header-fields.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import type { FeatureSet } from '../features.ts';
import { Classifier, type ClassifierData, PairwiseClassifier } from './classifier.ts';

/** What kind of support vector machines the classifiers are. */
export interface Machines {
  readonly degree: PolynomialDegree;
  readonly multiclass: SvmMulticlass;
}

/** A classifier for each tag. */
export class ClassifierSet {
  private readonly classifiers: readonly Classifier[];
  private readonly byTag: Classifier[] = [];
  private readonly votes: Int32Array;

  /** @param classCount classes are below this */
  constructor(data: readonly ClassifierData[], { degree, multiclass }: Machines, classCount: number) {
    const Kind = multiclass === 'pairwise' ? PairwiseClassifier : Classifier;
    this.classifiers = data.map((one) => new Kind(one, degree));
    for (const classifier of this.classifiers) this.byTag[classifier.data.tag] = classifier;
    this.votes = new Int32Array(classCount);
  }

  /**
   * The best of some classes (ascending) for an example of a tag. Where no example of that tag was seen, or
   * none with any of the classes, it is what most classifiers find best, each counted as often as it has seen
   * examples.
   */
  best(tag: number, example: FeatureSet, among: Int32Array): number {
    const found = this.byTag[tag]?.best(example, among) ?? -1;
    return found === -1 ? this.bestOfMost(example, among) : found;
  }

  /** How probable the outcome of the last decision for a tag was; even odds where no example of the tag was seen. */
  probabilityOf(tag: number, chosen: number, scale: number): number {
    return this.byTag[tag]?.probabilityOf(chosen, scale) ?? 0.5;
  }

  private bestOfMost(example: FeatureSet, among: Int32Array): number {
    const { votes } = this;
    votes.fill(0);
    for (const classifier of this.classifiers) {
      const found = classifier.best(example, among);
      if (found !== -1) votes[found] += classifier.data.examples;
    }
    let best = among[0];
    for (const one of among) if (votes[one] > votes[best]) best = one;
    return best;
  }

  /** The classifier that decides on examples of a tag among some classes (ascending); undefined: all of them vote. */
  deciderOf(tag: number, example: FeatureSet, among: Int32Array): Classifier | undefined {
    const classifier = this.byTag[tag];
    return classifier === undefined || classifier.best(example, among) === -1 ? undefined : classifier;
  }

  /** What each classifier votes for, with the examples that it has seen. */
  votesOf(example: FeatureSet, among: Int32Array): ClassifierVote[] {
    return this.classifiers
      .map((classifier) => ({ ...classifier.data, one: classifier.best(example, among) }))
      .filter(({ one }) => one !== -1);
  }

  /** Writes weights and known features, sections for each classifier; returns what goes into the header. */
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

/** A classifier's vote for a class, as heavy as it has seen examples. */
export interface ClassifierVote extends Pick<ClassifierData, 'tag' | 'examples'> {
  readonly one: number;
}

/** Classifiers in a model. */
export interface SavedClassifiers {
  /** That they were saved under. */
  readonly name: string;
  /** What the header says of each. */
  readonly header: readonly HeaderFields[];
  /** Classes are below this. */
  readonly classCount: number;
  readonly multiclass: SvmMulticlass;
}

/** The classifiers that `ClassifierSet.save` wrote under a name. */
export function loadClassifiers(
  file: ModelReader,
  { name, header, classCount, multiclass }: SavedClassifiers,
): ClassifierData[] {
  return header.map((fields) => {
    const tag = fields.integer('tag', 0, MOST);
    const bits = fields.integer('bits', 1, 30);
    const classes = Int32Array.from(fields.integers('classes', 0));
    const isAscending = classes.every((one, k) => one < classCount && (k === 0 || classes[k - 1] < one));
    if (classes.length === 0 || !isAscending) {
      fields.refuse('classes', `one class or more, ascending, below ${classCount}`);
    }
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

/** Of tags and of examples: they fit into 32 bits. */
const MOST = 2 ** 31 - 1;
