import type { DependencyTree } from '../../treebank/sentence.ts';

export type Verdict = 'right' | 'wrong-head' | 'wrong-label';

/** Marks errors, in addition to colour. */
export const wrongMark = '✗';

/** Compares token d with gold; only heads if gold has no label. */
export function verdict(gold: DependencyTree, tree: DependencyTree, d: number): Verdict {
  if (tree.heads[d] !== gold.heads[d]) return 'wrong-head';
  const label = gold.labels[d];
  return label === '_' || label === tree.labels[d] ? 'right' : 'wrong-label';
}
