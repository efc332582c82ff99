import type { ExampleReader } from './examples.ts';

/** One binary problem per class, one per pair, or a single one (Crammer & Singer 2001; its loss is `l1`). */
export const svmMulticlass = ['one-vs-rest', 'pairwise', 'crammer-singer'] as const;
export type SvmMulticlass = (typeof svmMulticlass)[number];

export function columnsOf(svm: { multiclass?: SvmMulticlass | undefined; classes: number }): number {
  return svm.multiclass === 'pairwise' ? pairCount(svm.classes) : svm.classes;
}

/** Number of pairs of classes: (0, 1), (0, 2), …, (1, 2), … */
export const pairCount = (classes: number): number => (classes * (classes - 1)) / 2;

/** Index of the pair (a, b), a < b, in that order. */
export function pairOf(a: number, b: number, classes: number): number {
  return pairCount(classes) - pairCount(classes - a) + b - a - 1;
}

/**
 * Scores classes by the binary classifiers of all their pairs. A class gets a vote for each pair that it wins (Kreßel 1999,
 * “Pairwise classification and support vector machines”). The sum of its margins counts less than half a vote, and
 * breaks ties.
 *
 * @param margins of the pairs of `count` classes; positive for the first class of the pair
 */
export function scoreByPairs(margins: Float64Array, count: number, scores: Float64Array): void {
  for (let a = 0; a < count; a++) {
    let votes = 0;
    let sum = 0;
    for (let b = 0; b < count; b++) {
      if (a === b) continue;
      const margin = a < b ? margins[pairOf(a, b, count)] : -margins[pairOf(b, a, count)];
      if (margin > 0 || (margin === 0 && a < b)) votes++;
      sum += margin;
    }
    scores[a] = votes + sum / (3 * (Math.abs(sum) + 1));
  }
}

/** Turns examples into a binary problem for each pair of classes, with a weight per row for each. */
export function separatePairs(reader: ExampleReader, classes: number): void {
  const words = Math.ceil(reader.classes / 32);
  const allowed = new Int32Array(reader.count * words);
  const positives = new Int32Array(reader.classes);
  for (let a = 0; a < classes; a++)
    for (let b = a + 1; b < classes; b++) positives[pairOf(a, b, classes)] = a;
  for (let i = 0; i < reader.count; i++) {
    const target = reader.targets[i];
    for (let other = 0; other < classes; other++) {
      if (other === target) continue;
      const pair = pairOf(Math.min(target, other), Math.max(target, other), classes);
      allowed[i * words + (pair >> 5)] |= 1 << (pair & 31);
    }
  }
  reader.allowed = allowed;
  reader.positives = positives;
}
