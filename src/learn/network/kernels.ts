import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../files/package.ts';

/**
 * The inner loops of networks (assembly/, which says what each does), over the memory that they were made with.
 * All arguments are addresses in bytes, or counts of numbers.
 */
export interface Kernels {
  product(out: number, x: number, w: number, rows: number, inner: number, outputs: number): void;
  productBack(xSlopes: number, slopes: number, w: number, rows: number, inner: number, outputs: number): void;
  productWeights(
    wSlopes: number,
    slopes: number,
    x: number,
    rows: number,
    inner: number,
    outputs: number,
  ): void;
  addToRows(x: number, row: number, rows: number, length: number): void;
  sumOfRows(sum: number, x: number, rows: number, length: number): void;
  multiplyRows(x: number, row: number, rows: number, length: number): void;
  rectify(x: number, count: number): void;
  rectifyBack(slopes: number, x: number, count: number): void;
  recur(
    gates: number,
    hidden: number,
    cells: number,
    squashed: number,
    w: number,
    length: number,
    size: number,
    isBackward: number,
  ): void;
  recurBack(
    slopes: number,
    hiddenSlopes: number,
    cellSlopes: number,
    gates: number,
    cells: number,
    squashed: number,
    w: number,
    length: number,
    size: number,
    isBackward: number,
  ): void;
  roundedProduct(
    out: number,
    x: number,
    w: number,
    scales: number,
    bias: number,
    rows: number,
    inner: number,
    outputs: number,
  ): void;
  roundedRecur(
    out: number,
    outStride: number,
    inputs: number,
    from: number,
    room: number,
    w: number,
    scales: number,
    length: number,
    size: number,
    isBackward: number,
  ): void;
  sumOfSquares(x: number, count: number): number;
  adam(
    weights: number,
    slopes: number,
    first: number,
    second: number,
    count: number,
    scale: number,
    rate: number,
    correction: number,
    decay: number,
    secondDecay: number,
  ): void;
}

/** What is used here of the interface of WebAssembly, which Node has and its types lack. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
  Memory: new (pages: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
};

/** What memory comes in: 64 KiB. */
const PAGE = 2 ** 16;

let compiled: object | undefined;

/** New memory of at least so many bytes, all zeros, and the kernels over it. */
export function makeKernels(bytes: number): { readonly kernels: Kernels; readonly buffer: ArrayBuffer } {
  compiled ??= new WebAssembly.Module(
    readFileSync(join(packageFolder, 'dist/src/learn/network/kernels.wasm')),
  );
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return { kernels: exports as Kernels, buffer: memory.buffer };
}
