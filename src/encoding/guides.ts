import type { DependencyTree } from '../treebank/sentence.ts';

/**
 * A tree of a sentence that another parser has found, its labels as the numbers of the parser that looks at it: of
 * each token, and of the root, which has neither (−1). A label that the parser does not know is −1, too.
 */
export interface GuideTree {
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** Each takes time to learn and to parse with; how all of them lie to an arc is one number below 2^31. */
export const MOST_GUIDES = 8;

export function encodeGuide(
  { heads, labels }: DependencyTree,
  numberOf: (label: string) => number,
): GuideTree {
  return {
    heads: heads.slice(),
    labels: Int32Array.from(labels, (label, d) => (d === 0 ? -1 : numberOf(label))),
  };
}

/** The tree over tokens start + 1 … start + length alone: what has its head outside hangs on the root. */
export function cutGuide({ heads, labels }: GuideTree, start: number, length: number): GuideTree {
  const cut = { heads: new Int32Array(length + 1).fill(-1), labels: new Int32Array(length + 1).fill(-1) };
  for (let d = 1; d <= length; d++) {
    const head = heads[start + d] - start;
    cut.heads[d] = head < 1 || head > length ? 0 : head;
    cut.labels[d] = labels[start + d];
  }
  return cut;
}

/** Views of guides: each alone, then all together if there are several. */
export function guideViews<T>(guides: readonly T[]): (readonly T[])[] {
  return [...guides.map((guide) => [guide]), ...(guides.length > 1 ? [guides] : [])];
}

/** The name of a view in explanations. */
export function guideViewName(view: number, guides: number): string {
  return view < guides ? `guide ${view + 1}` : 'all guides';
}
