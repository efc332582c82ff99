// Written by build/kernels.mjs: the declarations of the functions in assembly/, which are described there.

/** The inner loops of networks over one memory. Arguments are addresses in bytes, or counts of numbers. */
export interface Kernels {
  product(out: number, x: number, w: number, rows: number, inner: number, outputs: number): void;
  productBack(
    xGradients: number,
    gradients: number,
    w: number,
    rows: number,
    inner: number,
    outputs: number,
  ): void;
  productWeights(
    wGradients: number,
    gradients: number,
    x: number,
    rows: number,
    inner: number,
    outputs: number,
  ): void;
  addToRows(x: number, row: number, rows: number, length: number): void;
  sumOfRows(sum: number, x: number, rows: number, length: number): void;
  multiplyRows(x: number, row: number, rows: number, length: number): void;
  leakyRelu(x: number, count: number): void;
  leakyReluBack(gradients: number, x: number, count: number): void;
  softmaxRows(scores: number, factors: number, rows: number, length: number): void;
  addProduct(
    out: number,
    outStride: number,
    a: number,
    rowStep: number,
    innerStep: number,
    b: number,
    stride: number,
    rows: number,
    columns: number,
    inner: number,
    scratch: number,
  ): void;
  lstm(layer: number, length: number): void;
  lstmStep(layer: number, first: number, rows: number, starts: number): void;
  lstmBack(layer: number, length: number): void;
  lstmStepBack(layer: number, first: number, rows: number, starts: number): void;
  quantizedRows(
    out: number,
    outStride: number,
    x: number,
    rowScales: number,
    layer: number,
    rows: number,
    first: number,
    outputs: number,
  ): void;
  quantizeRows(out: number, scales: number, x: number, rows: number, length: number): void;
  quantizedLstm(layer: number, length: number): void;
  sumOfSquares(x: number, count: number): number;
  mergeGradients(gradients: number, more: number, count: number): number;
  adam(state: number, scale: number, rate: number, correction: number): void;
  adamRows(state: number, rows: number, count: number, scale: number, rate: number, correction: number): void;
}
