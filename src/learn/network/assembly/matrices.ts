// AssemblyScript, compiled to WebAssembly by `npm run build`: the inner loops of networks, four numbers at a time (eight
// times as fast as JavaScript). Matrices are rows of 32-bit floats; addresses are in bytes, row lengths multiples of four.
// The order of additions is fixed and nothing is fused, so every machine finds the same bits.

import { FLOAT, TILE, VECTOR } from '../layout.ts';
import { exponential, fourProducts, fourProductsOfTwo } from './vectors.ts';

/** out = x wᵀ, where x: rows × inner, w: outputs × inner, out: rows × outputs. */
export function product(out: usize, x: usize, w: usize, rows: i32, inner: i32, outputs: i32): void {
  const stride = (inner as usize) << 2;
  const width = (outputs as usize) << 2;
  for (let first = 0; first < rows; first += TILE) {
    const end = min(first + TILE, rows);
    for (let r: usize = 0; r < width; r += VECTOR) {
      const four = w + (r >> 2) * stride;
      let row = first;
      for (; row + 2 <= end; row += 2) {
        const at = out + (row as usize) * width + r;
        const from = x + (row as usize) * stride;
        fourProductsOfTwo(at, at + width, from, from + stride, four, stride);
      }
      if (row < end) {
        v128.store(out + (row as usize) * width + r, fourProducts(x + (row as usize) * stride, four, stride));
      }
    }
  }
}

/** Backward pass of `product` for x: xGradients += gradients w, where gradients: rows × outputs. */
export function productBack(
  xGradients: usize,
  gradients: usize,
  w: usize,
  rows: i32,
  inner: i32,
  outputs: i32,
): void {
  const stride = (inner as usize) << 2;
  const width = (outputs as usize) << 2;
  for (let first = 0; first < rows; first += TILE) {
    const end = min(first + TILE, rows);
    for (let r: usize = 0; r < width; r += VECTOR) {
      const four = w + (r >> 2) * stride;
      let row = first;
      for (; row + 2 <= end; row += 2) {
        const factors = gradients + (row as usize) * width + r;
        addFourToTwo(xGradients + (row as usize) * stride, factors, factors + width, FLOAT, four, stride);
      }
      if (row < end) {
        const factors = gradients + (row as usize) * width + r;
        addFour(xGradients + (row as usize) * stride, factors, FLOAT, four, stride);
      }
    }
  }
}

/** Backward pass of `product` for w: wGradients += gradientsᵀ x. */
export function productWeights(
  wGradients: usize,
  gradients: usize,
  x: usize,
  rows: i32,
  inner: i32,
  outputs: i32,
): void {
  const stride = (inner as usize) << 2;
  const width = (outputs as usize) << 2;
  for (let first = 0; first < rows; first += TILE) {
    const end = min(first + TILE, rows);
    for (let r: usize = 0; r < width; r += 2 * FLOAT) {
      const out = wGradients + (r >> 2) * stride;
      let row = first;
      for (; row + 4 <= end; row += 4) {
        const factors = gradients + (row as usize) * width + r;
        addFourToTwo(out, factors, factors + FLOAT, width, x + (row as usize) * stride, stride);
      }
      for (; row < end; row++) {
        const factors = gradients + (row as usize) * width + r;
        addOne(out, factors, x + (row as usize) * stride, stride);
        addOne(out + stride, factors + FLOAT, x + (row as usize) * stride, stride);
      }
    }
  }
}

/** out += a A, for a factor and a row. */
function addOne(out: usize, factor: usize, row: usize, stride: usize): void {
  const a = v128.load32_splat(factor);
  for (let i: usize = 0; i < stride; i += VECTOR) {
    v128.store(out + i, f32x4.add(v128.load(out + i), f32x4.mul(a, v128.load(row + i))));
  }
}

/** out += a A + b B + c C + d D, for four factors, `step` bytes apart, and four rows. */
function addFour(out: usize, factors: usize, step: usize, row: usize, stride: usize): void {
  const a = v128.load32_splat(factors);
  const b = v128.load32_splat(factors + step);
  const c = v128.load32_splat(factors + 2 * step);
  const d = v128.load32_splat(factors + 3 * step);
  let i: usize = 0;
  if (stride & VECTOR) {
    addVector(out, row, stride, a, b, c, d);
    i = VECTOR;
  }
  for (; i < stride; i += 2 * VECTOR) {
    addVector(out + i, row + i, stride, a, b, c, d);
    addVector(out + i + VECTOR, row + i + VECTOR, stride, a, b, c, d);
  }
}

/**
 * `addFour` for the row at out and the next one, with factors for each, reading the four rows once. Two vectors share
 * their addresses: computing these takes as long as the sums.
 */
function addFourToTwo(
  out: usize,
  factors: usize,
  nextFactors: usize,
  step: usize,
  row: usize,
  stride: usize,
): void {
  const a = v128.load32_splat(factors);
  const b = v128.load32_splat(factors + step);
  const c = v128.load32_splat(factors + 2 * step);
  const d = v128.load32_splat(factors + 3 * step);
  const e = v128.load32_splat(nextFactors);
  const f = v128.load32_splat(nextFactors + step);
  const g = v128.load32_splat(nextFactors + 2 * step);
  const h = v128.load32_splat(nextFactors + 3 * step);
  const end = row + stride;
  const toOut = out - row;
  if (stride & VECTOR) {
    addVector(out, row, stride, a, b, c, d);
    addVector(out + stride, row, stride, e, f, g, h);
    row += VECTOR;
  }
  for (; row < end; row += 2 * VECTOR) {
    const to = row + toOut;
    const next = to + stride;
    const second = row + stride;
    const third = second + stride;
    const fourth = third + stride;
    let w = v128.load(row);
    let x = v128.load(second);
    let y = v128.load(third);
    let z = v128.load(fourth);
    v128.store(to, plusFour(v128.load(to), a, w, b, x, c, y, d, z));
    v128.store(next, plusFour(v128.load(next), e, w, f, x, g, y, h, z));
    w = v128.load(row, VECTOR);
    x = v128.load(second, VECTOR);
    y = v128.load(third, VECTOR);
    z = v128.load(fourth, VECTOR);
    v128.store(to, plusFour(v128.load(to, VECTOR), a, w, b, x, c, y, d, z), VECTOR);
    v128.store(next, plusFour(v128.load(next, VECTOR), e, w, f, x, g, y, h, z), VECTOR);
  }
}

/** `addFour` for one vector. */
function addVector(out: usize, row: usize, stride: usize, a: v128, b: v128, c: v128, d: v128): void {
  const third = row + 2 * stride;
  const w = v128.load(row);
  const x = v128.load(row + stride);
  const y = v128.load(third);
  const z = v128.load(third + stride);
  v128.store(out, plusFour(v128.load(out), a, w, b, x, c, y, d, z));
}

/** sum + ((a w + b x) + (c y + d z)) */
function plusFour(sum: v128, a: v128, w: v128, b: v128, x: v128, c: v128, y: v128, d: v128, z: v128): v128 {
  const ab = f32x4.add(f32x4.mul(a, w), f32x4.mul(b, x));
  const cd = f32x4.add(f32x4.mul(c, y), f32x4.mul(d, z));
  return f32x4.add(sum, f32x4.add(ab, cd));
}

/** Adds a row to each row of x: rows × length. */
export function addToRows(x: usize, row: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let r: usize = 0; r < (rows as usize); r++) {
    for (let i: usize = 0; i < width; i += VECTOR) {
      const at = x + r * width + i;
      v128.store(at, f32x4.add(v128.load(at), v128.load(row + i)));
    }
  }
}

/** Adds the sum of the rows of x: rows × length. */
export function sumOfRows(sum: usize, x: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let i: usize = 0; i < width; i += VECTOR) {
    let total = v128.load(sum + i);
    for (let r: usize = 0; r < (rows as usize); r++) total = f32x4.add(total, v128.load(x + r * width + i));
    v128.store(sum + i, total);
  }
}

/** Multiplies each row of x: rows × length by a row, element by element. */
export function multiplyRows(x: usize, row: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let r: usize = 0; r < (rows as usize); r++) {
    for (let i: usize = 0; i < width; i += VECTOR) {
      const at = x + r * width + i;
      v128.store(at, f32x4.mul(v128.load(at), v128.load(row + i)));
    }
  }
}

/** Leaky ReLU in place: negative numbers become a tenth of themselves (Maas, Hannun & Ng 2013). */
export function leakyRelu(x: usize, count: i32): void {
  const end = x + ((count as usize) << 2);
  for (let at = x; at < end; at += VECTOR) v128.store(at, leak(v128.load(at), v128.load(at)));
}

/** Backward pass of `leakyRelu`, in place; x: its output. */
export function leakyReluBack(gradients: usize, x: usize, count: i32): void {
  const bytes = (count as usize) << 2;
  for (let i: usize = 0; i < bytes; i += VECTOR) {
    v128.store(gradients + i, leak(v128.load(gradients + i), v128.load(x + i)));
  }
}

/** Each value, or a tenth of it where the other number is negative. */
function leak(values: v128, others: v128): v128 {
  const tenth = f32x4.mul(values, f32x4.splat(0.1));
  return v128.bitselect(tenth, values, f32x4.lt(others, f32x4.splat(0)));
}

/** Softmax of each row of scores: rows × length, in place; each eˣ is multiplied by its entry of `factors` (0: no candidate). */
export function softmaxRows(scores: usize, factors: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let row = scores; row < scores + (rows as usize) * width; row += width) {
    let highest = v128.load(row);
    for (let i: usize = VECTOR; i < width; i += VECTOR) highest = f32x4.max(highest, v128.load(row + i));
    highest = f32x4.max(highest, i32x4.shuffle(highest, highest, 2, 3, 0, 1));
    highest = f32x4.max(highest, i32x4.shuffle(highest, highest, 1, 0, 3, 2));
    let sum = f32x4.splat(0);
    for (let i: usize = 0; i < width; i += VECTOR) {
      const power = exponential(f32x4.sub(highest, v128.load(row + i)));
      const share = f32x4.mul(power, v128.load(factors + i));
      v128.store(row + i, share);
      sum = f32x4.add(sum, share);
    }
    sum = f32x4.add(sum, i32x4.shuffle(sum, sum, 2, 3, 0, 1));
    sum = f32x4.add(sum, i32x4.shuffle(sum, sum, 1, 0, 3, 2));
    const factor = f32x4.div(f32x4.splat(1), sum);
    for (let i: usize = 0; i < width; i += VECTOR) {
      v128.store(row + i, f32x4.mul(v128.load(row + i), factor));
    }
  }
}
