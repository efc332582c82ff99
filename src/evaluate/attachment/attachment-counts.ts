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
