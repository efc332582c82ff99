/**
 * An algorithm that finds the best dependency tree of a sentence of n tokens. Equal scores always give the same tree.
 * - `scores`: `scores[h * (n + 1) + d]` for the arc from head h to dependent d; 0 is the artificial root. The array
 *   may be longer; its diagonal and column 0 are never read. If some scores are not finite, any tree may result.
 * - `heads`: receives the tree: heads[0] = −1, heads[d] for d in 1…n.
 */
export interface Decoder {
  readonly name: string;
  readonly isProjective: boolean;
  decode(scores: Float32Array, n: number, heads: Int32Array): void;
}

export interface DecoderOptions {
  /** Whether exactly one token depends on the artificial root. */
  readonly singleRoot: boolean;
}
