/**
 * Finds the highest-scoring dependency tree.
 *
 * `scores` is the score matrix of a sentence of n tokens, row-major, (n+1)²: `scores[h * (n+1) + d]` scores
 * the arc from head h to dependent d; 0 is the artificial root; the diagonal and column 0 are never read. It
 * may be longer than (n+1)² (buffers are reused), and is not changed. Scores should be finite; others still
 * give a tree, but none in particular.
 *
 * Writes the tree into `heads` (at least n+1 entries): heads[0] = −1, heads[d] for d in 1…n. Ties are broken
 * by a fixed order, so that the same scores always give the same tree.
 */
export interface Decoder {
  readonly name: string;
  /** It finds projective trees only. */
  readonly isProjective: boolean;
  decode(scores: Float32Array, n: number, heads: Int32Array): void;
}

export interface DecoderOptions {
  /** Exactly one token hangs on the artificial root. */
  readonly singleRoot: boolean;
}
