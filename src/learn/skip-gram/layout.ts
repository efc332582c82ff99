// Shared by TypeScript and AssemblyScript, like the layout of networks.

/** Parts of a dot product that are summed separately, and the maximum number of threads that share one. */
export const LANES = 4;
export const THREADS = 4;
/** The number of centre words that are learnt from at a time. */
export const BATCH = 32;
/** Between the words of two lines. */
export const LINE_END = -1;

/** 32-bit fields: addresses in bytes, and counts. */
export enum SkipGramFields {
  /** The text as numbers of words. */
  words,
  /** The largest draw that keeps each word. */
  keep,
  /** A threshold and an alias for each word (Walker's alias method). */
  aliases,
  vocabulary,
  /** The index of each word's first row in `rows`. */
  rowStarts,
  rows,
  window,
  negatives,
  /** This thread's part of the input rows (words and n-grams), and of the output rows (words as targets). */
  inputs,
  outputs,
  /** Bytes per row of this thread. */
  width,
  firstLane,
  lastLane,
  /** The end (exclusive) of each lane in a row, in bytes. */
  bounds,
  /**
   * Scratch: the words of a chunk and their places; centres, each with the end of its targets; the targets
   * and their steps; the vectors of the centres; the gradient of one centre.
   */
  kept,
  places,
  centers,
  targets,
  steps,
  hidden,
  gradient,
  /** Partial products of the lanes of all threads; two buffers, which batches use in turn. */
  evenPartial,
  oddPartial,
  laneBytes,
  /** Counter of the barrier: arrivals of all threads after their products. */
  arrivals,
  threads,
  /** The number of batches done. */
  batch,
}
