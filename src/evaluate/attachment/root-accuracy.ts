import type { DependencyTree } from '../../treebank/sentence.ts';

/**
 * Root accuracy (Yamada & Matsumoto 2003, W03-3023, section 4): sentences whose root is right / sentences.
 *
 * A sentence's root is right when the tokens on the artificial root are the same in both trees: all of them
 * where gold has several, and none besides. Tokens that the punctuation rule leaves out are ignored on both
 * sides, as in Jain & Artzi's re-implementation of that parser (section 4), which ignores a root with a
 * punctuation tag. So a sentence whose only gold root is left out is right unless a scored token is predicted
 * as a root.
 */
export function sameRoots(
  gold: DependencyTree,
  predicted: DependencyTree,
  n: number,
  scored: Uint8Array,
): boolean {
  for (let d = 1; d <= n; d++) {
    if (scored[d] !== 0 && (gold.heads[d] === 0) !== (predicted.heads[d] === 0)) return false;
  }
  return true;
}
