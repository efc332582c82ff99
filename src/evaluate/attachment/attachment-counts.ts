import type { DependencyTree } from '../../treebank/sentence.ts';
import { findCycle, roots } from '../../treebank/tree.ts';
import { percent } from '../percent.ts';

/**
 * The attachment scores (Nivre, Hall & Nilsson 2004; CoNLL-X `eval.pl`, Buchholz & Marsi 2006): of the scored
 * tokens,
 * - UAS, unlabelled attachment score: those with the right head;
 * - LAA, label accuracy (`eval.pl`: LA): those with the right label, whatever the head;
 * - LAS, labelled attachment score: those with both.
 *
 * Labels are compared as they are, subtypes kept. Light enough to be fed from a training loop: labels may be
 * strings or ids.
 */
export class AttachmentCounts {
  /** Scored tokens. */
  tokens = 0;
  /** Scored tokens with the right head. */
  heads = 0;
  /** Scored tokens with the right label. */
  labels = 0;
  /** Scored tokens with the right head and the right label. */
  arcs = 0;

  /**
   * Adds a sentence of n tokens; every column has n + 1 entries, entry 0 is not read. `scored[d]` is 0 for a
   * token that is left out; without it all n are scored.
   */
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

  /** Unlabelled attachment score, percent. */
  get uas(): number {
    return percent(this.heads, this.tokens);
  }

  /** Labelled attachment score, percent. */
  get las(): number {
    return percent(this.arcs, this.tokens);
  }

  /** Label accuracy, percent. */
  get laa(): number {
    return percent(this.labels, this.tokens);
  }
}

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

/** Numbers of predicted trees that are not trees; a sentence may have more than one fault. */
export interface IllFormed {
  /** With any of the faults. */
  readonly sentences: number;
  /** With a cycle. */
  readonly cycles: number;
  /** With several roots where the gold tree has one. */
  readonly severalRoots: number;
  /** With no root. */
  readonly noRoot: number;
}

/** Counts what other scorers hide or die of: predicted “trees” with cycles, several roots or none. */
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
