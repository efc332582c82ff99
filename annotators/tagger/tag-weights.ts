import { finish } from '../../src/learn/hashing.ts';
import type { FeatureNumbers } from './features/feature-numbers.ts';
import type { TagSet } from './tag-set.ts';

/**
 * How the scores of tags are laid out. Universal tags, few and all of them scored: those of a feature side by side, of
 * the text for each of the two passes, of the tags for the one that they are known in. The pairs and bundles below
 * them, many of which only some are scored, share a table of a power of two of weights (hash kernel, Bohnet 2010).
 */
export interface TagWeights<Weights = Int16Array | Float32Array> {
  readonly upos: Weights;
  readonly morphology: Weights;
}

/** How many weights universal tags have. */
export function uposSize({ all, text }: FeatureNumbers, { upos }: TagSet): number {
  return (all.size + text) * upos.length;
}

/**
 * Where the weights of a feature begin. Those for choice c (in the first pass, and in the second) are 2 c
 * further on, or that many around the end. Weights of one feature lie close together, and those of different
 * features, which overlap, are spread evenly.
 */
export function morphologyStart(row: number): number {
  return finish(row) & ~1;
}
