// Shared by TypeScript and AssemblyScript, like the layout of networks.

/** Parts of a dot product that are summed one by one: the number of threads that can share one. */
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
  /** Of each word, the largest draw with which it is kept. */
  keep,
  /** Of each word, a threshold and another word (Walker's alias method). */
  aliases,
  vocabulary,
  /** Of each word, the index of its first row's number in `rows`. */
  rowStarts,
  rows,
  window,
  negatives,
  /** This thread's dimensions of rows of subwords, and of the words as targets. */
  inputs,
  outputs,
  /** Bytes of a row of this thread. */
  width,
  firstLane,
  lastLane,
  /** Of each lane, the byte of a row behind it. */
  bounds,
  /** Scratch: words and places of a chunk; centres, each with the end of its targets; numbers for each. */
  kept,
  places,
  centers,
  targets,
  steps,
  hidden,
  gradient,
  /** Products of every lane, all threads'; two, for batches in turn. */
  evenPartial,
  oddPartial,
  laneBytes,
  /** How often threads have come to the end of a product, all together. */
  arrivals,
  threads,
  /** The number of batches before. */
  batch,
}
