/** Numbers in memory: TypeScript and AssemblyScript both read this file, so it holds what both understand. */

export const FLOAT = 4;
/** Numbers that kernels take at a time, a SIMD vector; every row is a multiple of them. */
export const LANES = 4;
export const VECTOR = 16;
/** The quantized value of 1: numbers between −1 and 1 are multiplied by it and rounded to 16 bits. */
export const QUANTIZED_ONE = 16384;
/** The four blocks of an LSTM's gate rows, each as long as there are units. */
export const GATES = 4;
export enum Gate {
  input,
  forget,
  output,
  candidate,
}

// Structs that kernels take by address: 32-bit fields in this order, addresses in bytes and counts of numbers.

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
 * them are added to the token's gates. `out` is quantized rows, `stride` bytes apart; `room`: 5 size.
 */
export enum QuantizedLstmFields {
  out,
  stride,
  inputs,
  offset,
  room,
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
