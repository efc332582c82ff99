import { finish, mix } from '../../src/learn/hashing.ts';

/**
 * How the scores of tags are laid out. Universal tags, few and all of them scored: those of a feature side by side.
 * The pairs and bundles below them, many of which only some are scored: an index of weights is a hash of the
 * feature's number and that of the pair or bundle.
 */
export interface TagWeights<Weights = Int16Array | Float32Array> {
  readonly upos: Weights;
  readonly morphology: Weights;
}

/** The index of the weight of a feature and a pair or bundle. */
export function morphologyIndex(row: number, choice: number, mask: number): number {
  return finish(mix(row, choice)) & mask;
}
