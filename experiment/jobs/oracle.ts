import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';

/**
 * For each token the answer of a member that is right: of one that has head and label right, or else the head.
 * No vote over these members can have more right heads, nor more right arcs. It may not be a tree.
 */
export function oracleTree(gold: Sentence, members: readonly DependencyTree[]): DependencyTree {
  const heads = new Int32Array(gold.length + 1).fill(-1);
  const labels = [''];
  for (let d = 1; d <= gold.length; d++) {
    const withHead = members.filter((member) => member.heads[d] === gold.heads[d]);
    const best = withHead.find((member) => member.labels[d] === gold.labels[d]) ?? withHead[0] ?? members[0];
    heads[d] = best.heads[d];
    labels.push(best.labels[d]);
  }
  return { heads, labels };
}
