import type { DependencyTree } from '../../treebank/sentence.ts';
import type { ComparedTree } from '../alignment/counterpart.ts';
import { pairsOf } from './pairs.ts';

/** Finds parsers whose trees are the same throughout, scored or not: one file given twice, or copied. */
export class SameTrees {
  private pairs: readonly (readonly [number, number])[];

  constructor(parsers: number) {
    this.pairs = pairsOf(parsers);
  }

  add(trees: readonly ComparedTree[]): void {
    if (this.pairs.length === 0) return;
    this.pairs = this.pairs.filter(([a, b]) => areAllSame(ownTrees(trees[a]), ownTrees(trees[b])));
  }

  /** The pairs that have not differed so far. */
  found(): readonly (readonly [number, number])[] {
    return this.pairs;
  }
}

/** The parser's own trees of a gold sentence, in which its words may be others than gold's. */
function ownTrees(tree: ComparedTree): readonly DependencyTree[] {
  return tree.split?.sentences.map(({ sentence }) => sentence) ?? [tree];
}

function areAllSame(a: readonly DependencyTree[], b: readonly DependencyTree[]): boolean {
  return a.length === b.length && a.every((tree, i) => areSame(tree, b[i]));
}

function areSame(a: DependencyTree, b: DependencyTree): boolean {
  if (a.heads.length !== b.heads.length) return false;
  for (let d = 1; d < a.heads.length; d++) {
    if (a.heads[d] !== b.heads[d] || a.labels[d] !== b.labels[d]) return false;
  }
  return true;
}
