import type { DependencyTree } from '../../treebank/sentence.ts';
import { pairsOf } from './pairs.ts';

/** Finds parsers whose trees are the same throughout, scored or not: one file given twice, or copied. */
export class SameTrees {
  private pairs: readonly (readonly [number, number])[];

  constructor(parsers: number) {
    this.pairs = pairsOf(parsers);
  }

  add(trees: readonly DependencyTree[]): void {
    if (this.pairs.length > 0) this.pairs = this.pairs.filter(([a, b]) => areSame(trees[a], trees[b]));
  }

  /** The pairs that have not differed so far. */
  found(): readonly (readonly [number, number])[] {
    return this.pairs;
  }
}

function areSame(a: DependencyTree, b: DependencyTree): boolean {
  for (let d = 1; d < a.heads.length; d++) {
    if (a.heads[d] !== b.heads[d] || a.labels[d] !== b.labels[d]) return false;
  }
  return true;
}
