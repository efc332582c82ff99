import type { DependencyTree } from '../../treebank/sentence.ts';

export type Verdict = 'right' | 'wrong-head' | 'wrong-label';

/** What stands beside what is wrong, so that colour is not all that tells. */
export const wrongMark = '✗';

/** How token d of a tree is, by the gold one; where that has no label, the head alone counts. */
export function verdict(gold: DependencyTree, tree: DependencyTree, d: number): Verdict {
  if (tree.heads[d] !== gold.heads[d]) return 'wrong-head';
  const label = gold.labels[d];
  return label === '_' || label === tree.labels[d] ? 'right' : 'wrong-label';
}
