import type { DependencyTree } from '../../treebank/sentence.ts';
import { findCycle, roots } from '../../treebank/tree.ts';
import { percent } from '../percent.ts';

/**
 * Counts for attachment scores over scored tokens (Nivre et al. 2004; CoNLL-X `eval.pl`): UAS, right head; LAA (LA in
 * `eval.pl`), right label; LAS, both. Labels are compared with their subtypes; they may also be numbers.
 */
export class AttachmentCounts {
  tokens = 0;
  heads = 0;
  labels = 0;
  arcs = 0;

  /** Adds a sentence of n tokens; entry 0 of each array is ignored. Tokens with scored[d] = 0 are left out. */
  add(
    goldHeads: Int32Array,
    goldLabels: ArrayLike<string | number>,
    heads: Int32Array,
    labels: ArrayLike<string | number>,
    n: number,
    scored?: Uint8Array,
  ): void {
    for (let d = 1; d <= n; d++) {
      if (scored !== undefined && scored[d] === 0) continue;
      const rightHead = heads[d] === goldHeads[d];
      const rightLabel = labels[d] === goldLabels[d];
      this.tokens++;
      if (rightHead) this.heads++;
      if (rightLabel) this.labels++;
      if (rightHead && rightLabel) this.arcs++;
    }
  }

  get uas(): number {
    return percent(this.heads, this.tokens);
  }

  get las(): number {
    return percent(this.arcs, this.tokens);
  }

  get laa(): number {
    return percent(this.labels, this.tokens);
  }
}

/**
 * Whether both trees attach exactly the same tokens to the artificial root, for root accuracy (Yamada & Matsumoto 2003,
 * W03-3023, section 4). Tokens excluded by the punctuation rule are ignored, as in Jain & Artzi's re-implementation
 * (section 4).
 */
export function sameRoots(gold: DependencyTree, predicted: DependencyTree, n: number, scored: Uint8Array) {
  for (let d = 1; d <= n; d++)
    if (scored[d] !== 0 && (gold.heads[d] === 0) !== (predicted.heads[d] === 0)) return false;
  return true;
}

/** Numbers of ill-formed trees: with any fault (`sentences`), and with each; `severalRoots` only if gold has one root. */
export type IllFormed = Readonly<Record<'sentences' | 'cycles' | 'severalRoots' | 'noRoot', number>>;

export class IllFormedCounts implements IllFormed {
  sentences = 0;
  cycles = 0;
  severalRoots = 0;
  noRoot = 0;

  add(gold: DependencyTree, predicted: DependencyTree): void {
    const count = roots(predicted.heads).length;
    const cycle = findCycle(predicted.heads).length > 0;
    const several = count > 1 && roots(gold.heads).length === 1;
    if (cycle) this.cycles++;
    if (several) this.severalRoots++;
    if (count === 0) this.noRoot++;
    if (cycle || several || count === 0) this.sentences++;
  }
}
