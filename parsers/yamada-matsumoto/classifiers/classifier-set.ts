import { columnsOf, type SvmMulticlass } from '../../../src/learn/svm/multiclass.ts';
import type { PolynomialDegree } from '../../../src/learn/svm/polynomial-features.ts';
import type { HeaderFields } from '../../../src/model/header-fields.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import type { FeatureSet } from '../features.ts';
import { Classifier, type ClassifierData, PairwiseClassifier } from './classifier.ts';

export type Machines = { readonly degree: PolynomialDegree; readonly multiclass: SvmMulticlass };

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

  /** The best class (ascending list); if the tag's classifier knows none, all vote by number of examples. */
  best(tag: number, example: FeatureSet, among: Int32Array): number {
    const found = this.byTag[tag]?.best(example, among) ?? -1;
    return found === -1 ? this.bestOfMost(example, among) : found;
  }

  /** Probability of the class chosen in the last decision for a tag; 0.5 for a tag without classifier. */
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
    for (const target of among) if (votes[target] > votes[best]) best = target;
    return best;
  }

  /** The classifier that decides on an example of a tag among some classes (ascending); undefined: all vote. */
  deciderOf(tag: number, example: FeatureSet, among: Int32Array): Classifier | undefined {
    const classifier = this.byTag[tag];
    return classifier === undefined || classifier.best(example, among) === -1 ? undefined : classifier;
  }

  /** The votes of classifiers that know any of the classes, each with its class as `target`. */
  votesOf(example: FeatureSet, among: Int32Array) {
    return this.classifiers
      .map((classifier) => ({ ...classifier.data, target: classifier.best(example, among) }))
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

/** Limit on tags and numbers of examples: signed 32-bit integers. */
const MOST = 2 ** 31 - 1;
