import { type Examples, SparseExamples } from '../../src/learn/svm/examples.ts';
import type { FeatureSet } from './features/feature-set.ts';

/** What one classifier learns from: the examples of one tag. */
export interface TagExamples {
  readonly tag: number;
  /** The classes that occur, ascending; targets are numbers of places in it. */
  readonly classes: Int32Array;
  readonly examples: SparseExamples;
}

/** Examples split by a tag, for a classifier each. */
export class SplitExamples {
  private readonly byTag = new Map<number, SparseExamples>();

  add(tag: number, { features, count }: FeatureSet, target: number): void {
    let examples = this.byTag.get(tag);
    if (examples === undefined) {
      examples = new SparseExamples();
      this.byTag.set(tag, examples);
    }
    examples.add(features, count, target);
  }

  /** All parts, by tag in ascending order; nothing can be added any more. */
  finish(): TagExamples[] {
    const parts = [...this.byTag].sort(([a], [b]) => a - b);
    return parts.map(([tag, examples]) => ({ tag, classes: numberTargets(examples), examples }));
  }
}

/** Makes targets numbers of places in the list of those that occur, which is given back. */
function numberTargets({ targets, count }: SparseExamples): Int32Array {
  const classes = Int32Array.from(new Set(targets.subarray(0, count))).sort();
  for (let i = 0; i < count; i++) targets[i] = classes.indexOf(targets[i]);
  return classes;
}

/** One bit for each of so many features: whether any example has it. */
export function knownFeatures({ features, offsets, count }: Examples, featureCount: number): Uint8Array {
  const known = new Uint8Array((featureCount + 7) >> 3);
  for (let k = 0; k < offsets[count]; k++) known[features[k] >> 3] |= 1 << (features[k] & 7);
  return known;
}
