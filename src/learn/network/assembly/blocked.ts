// AssemblyScript, as matrices.ts: a product of large matrices, by packed blocks (Goto & van de Geijn 2008).

import { FLOAT, VECTOR } from '../layout.ts';

/** Inner indices of a block, and the rows and columns that are computed in registers. */
const DEPTH = 128;
const HEIGHT = 4;
const WIDTH = 8;

/**
 * out += a b, where out: rows × columns, a: rows × inner, b: inner × columns; for gradients of weights, and of inputs.
 * Numbers of `a` are `rowStep` bytes apart from row to row and `innerStep` from column to column; the rows of b are
 * `stride` bytes apart, those of out `outStride`. Columns are a multiple of four.
 *
 * @param scratch for packed blocks: DEPTH × (columns + 12) numbers
 */
export function addProduct(
  out: usize,
  outStride: usize,
  a: usize,
  rowStep: usize,
  innerStep: usize,
  b: usize,
  stride: usize,
  rows: i32,
  columns: i32,
  inner: i32,
  scratch: usize,
): void {
  const width = (columns as usize) << 2;
  const blocks = scratch + DEPTH * HEIGHT * FLOAT;
  for (let start = 0; start < inner; start += DEPTH) {
    const depth = min(DEPTH, inner - start) as usize;
    packColumns(blocks, b + (start as usize) * stride, stride, depth, width);
    const from = a + (start as usize) * innerStep;
    for (let row = 0; row < rows; row += HEIGHT) {
      const height = min(HEIGHT, rows - row);
      packRows(scratch, from + (row as usize) * rowStep, rowStep, innerStep, depth, height);
      const target = out + (row as usize) * outStride;
      for (let at: usize = 0; at < width; at += WIDTH * FLOAT) {
        addBlock(target + at, outStride, scratch, blocks + at * depth, depth, height, width - at);
      }
    }
  }
}

/** Packs b by blocks of eight columns; a last block of four is filled up with zeros. */
function packColumns(packed: usize, b: usize, stride: usize, depth: usize, width: usize): void {
  for (let at: usize = 0; at < width; at += WIDTH * FLOAT) {
    const isWhole = at + VECTOR < width;
    for (let k: usize = 0; k < depth; k++) {
      const from = b + k * stride + at;
      v128.store(packed, v128.load(from));
      v128.store(packed, isWhole ? v128.load(from, VECTOR) : f32x4.splat(0), VECTOR);
      packed += WIDTH * FLOAT;
    }
  }
}

/** Packs four rows of a, column by column; rows beyond the last repeat the first. */
function packRows(
  packed: usize,
  a: usize,
  rowStep: usize,
  innerStep: usize,
  depth: usize,
  height: i32,
): void {
  const second = height > 1 ? rowStep : (0 as usize);
  const third = height > 2 ? 2 * rowStep : (0 as usize);
  const fourth = height > 3 ? 3 * rowStep : (0 as usize);
  for (let k: usize = 0; k < depth; k++) {
    f32.store(packed, f32.load(a));
    f32.store(packed, f32.load(a + second), FLOAT);
    f32.store(packed, f32.load(a + third), 2 * FLOAT);
    f32.store(packed, f32.load(a + fourth), 3 * FLOAT);
    packed += HEIGHT * FLOAT;
    a += innerStep;
  }
}

/** Adds the product of four packed rows and eight packed columns, as far as these exist. */
function addBlock(
  out: usize,
  outStride: usize,
  a: usize,
  b: usize,
  depth: usize,
  height: i32,
  width: usize,
): void {
  let p0 = f32x4.splat(0);
  let p1 = f32x4.splat(0);
  let q0 = f32x4.splat(0);
  let q1 = f32x4.splat(0);
  let r0 = f32x4.splat(0);
  let r1 = f32x4.splat(0);
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  const end = a + depth * HEIGHT * FLOAT;
  for (; a < end; a += HEIGHT * FLOAT) {
    const left = v128.load(b);
    const right = v128.load(b, VECTOR);
    let factor = v128.load32_splat(a);
    p0 = f32x4.add(p0, f32x4.mul(factor, left));
    p1 = f32x4.add(p1, f32x4.mul(factor, right));
    factor = v128.load32_splat(a, FLOAT);
    q0 = f32x4.add(q0, f32x4.mul(factor, left));
    q1 = f32x4.add(q1, f32x4.mul(factor, right));
    factor = v128.load32_splat(a, 2 * FLOAT);
    r0 = f32x4.add(r0, f32x4.mul(factor, left));
    r1 = f32x4.add(r1, f32x4.mul(factor, right));
    factor = v128.load32_splat(a, 3 * FLOAT);
    s0 = f32x4.add(s0, f32x4.mul(factor, left));
    s1 = f32x4.add(s1, f32x4.mul(factor, right));
    b += WIDTH * FLOAT;
  }
  const isWhole = width > (VECTOR as usize);
  addRow(out, p0, p1, isWhole);
  if (height > 1) addRow(out + outStride, q0, q1, isWhole);
  if (height > 2) addRow(out + 2 * outStride, r0, r1, isWhole);
  if (height > 3) addRow(out + 3 * outStride, s0, s1, isWhole);
}

function addRow(out: usize, left: v128, right: v128, isWhole: boolean): void {
  v128.store(out, f32x4.add(v128.load(out), left));
  if (isWhole) v128.store(out, f32x4.add(v128.load(out, VECTOR), right), VECTOR);
}
