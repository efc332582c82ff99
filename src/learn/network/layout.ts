/** Memory layout shared by TypeScript and AssemblyScript: only syntax that both compile. */

export const FLOAT = 4;
/** Floats per SIMD vector; the length of every row is a multiple of it. */
export const LANES = 4;
export const VECTOR = 16;
/** Number of rows that stay in the cache while all rows of the other matrix are read; a multiple of four. */
export const TILE = 32;
/** Quantization scale: activations in [−1, 1] become 16-bit integers times 1 / QUANTIZED_ONE. */
export const QUANTIZED_ONE = 16384;
/** The gates of an LSTM, in the order of their blocks in a row; a block has one entry per unit. */
export const GATES = 4;
export enum Gate {
  input,
  forget,
  output,
  candidate,
}

/** Decay of the first and second moments of Adam: the second is lower than usual, as in Dozat & Manning (2017, table 1). */
export const DECAY = 0.9;
export const SECOND_DECAY = 0.95;

// Structs that kernels take by address: 32-bit fields in this order, byte addresses and element counts.

/** An LSTM in one direction: gates are tokens × 4 size, the other rows tokens × size, `cellGradients` is one row. */
export enum LstmFields {
  gates,
  hidden,
  cells,
  cellActivations,
  weights,
  gateGradients,
  hiddenGradients,
  cellGradients,
  size,
  isBackward,
}

/**
 * An LSTM with quantized weights. `inputs` holds two addresses for each token; the rows that begin `offset` bytes after
 * them are added to the token's gates. `out` is quantized rows, `stride` bytes apart; `scratch`: 5 size.
 */
export enum QuantizedLstmFields {
  out,
  stride,
  inputs,
  offset,
  scratch,
  weights,
  scales,
  size,
  isBackward,
}

/** A dense layer with quantized weights: outputs × inner. */
export enum QuantizedDenseFields {
  weights,
  scales,
  bias,
  inner,
}

/** The state of Adam: four arrays of `count` numbers. */
export enum AdamFields {
  weights,
  gradients,
  firstMoments,
  secondMoments,
  count,
}
