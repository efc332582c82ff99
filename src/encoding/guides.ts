import type { DependencyTree } from '../treebank/sentence.ts';

/** Another parser's tree, for stacking; labels are numbered as in the stacked parser, −1 for the root and unknown labels. */
export type GuideTree = { readonly heads: Int32Array; readonly labels: Int32Array };

/** Maximum number of guides: the relations of all of them to an arc are encoded in one number below 2^31. */
export const MOST_GUIDES = 8;

export function encodeGuide({ heads, labels }: DependencyTree, numberOf: (label: string) => number) {
  return {
    heads: heads.slice(),
    labels: Int32Array.from(labels, (label, d) => (d === 0 ? -1 : numberOf(label))),
  };
}

/** Cuts out the tree over tokens start + 1 … start + length; a token whose head is outside becomes a root. */
export function cutGuide({ heads, labels }: GuideTree, start: number, length: number): GuideTree {
  const cut = { heads: new Int32Array(length + 1).fill(-1), labels: new Int32Array(length + 1).fill(-1) };
  for (let d = 1; d <= length; d++) {
    const head = heads[start + d] - start;
    cut.heads[d] = head < 1 || head > length ? 0 : head;
    cut.labels[d] = labels[start + d];
  }
  return cut;
}

/** The sets of guides that features read: each guide alone, then all together if there are several. */
export function guideViews<T>(guides: readonly T[]): (readonly T[])[] {
  return [...guides.map((guide) => [guide]), ...(guides.length > 1 ? [guides] : [])];
}

export function guideViewName(view: number, guides: number): string {
  return view < guides ? `guide ${view + 1}` : 'all guides';
}
