// AssemblyScript, compiled to WebAssembly by `npm run build`: the inner loops of networks, four numbers at a time (eight
// times as fast as JavaScript). Matrices are rows of 32-bit floats; addresses are in bytes, row lengths multiples of four.
// The order of additions is fixed and nothing is fused, so every machine finds the same bits.

import { VECTOR } from '../layout.ts';
import { exponential, fourProducts, fourProductsOfTwo } from './vectors.ts';

/** out = x wᵀ, where x: rows × inner, w: outputs × inner, out: rows × outputs. */
export function product(out: usize, x: usize, w: usize, rows: i32, inner: i32, outputs: i32): void {
  const stride = (inner as usize) << 2;
  const width = (outputs as usize) << 2;
  let row = 0;
  for (; row + 2 <= rows; row += 2) {
    const first = x + (row as usize) * stride;
    const at = out + (row as usize) * width;
    for (let r: usize = 0; r < width; r += VECTOR) {
      fourProductsOfTwo(at + r, at + width + r, first, first + stride, w + (r >> 2) * stride, stride);
    }
  }
  if (row < rows) {
    const at = out + (row as usize) * width;
    for (let r: usize = 0; r < width; r += VECTOR) {
      v128.store(at + r, fourProducts(x + (row as usize) * stride, w + (r >> 2) * stride, stride));
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
  for (let row: usize = 0; row < (rows as usize); row++) {
    const out = xGradients + row * stride;
    for (let r: usize = 0; r < width; r += VECTOR) {
      const four = v128.load(gradients + row * width + r);
      const a = i32x4.shuffle(four, four, 0, 0, 0, 0);
      const b = i32x4.shuffle(four, four, 1, 1, 1, 1);
      const c = i32x4.shuffle(four, four, 2, 2, 2, 2);
      const d = i32x4.shuffle(four, four, 3, 3, 3, 3);
      const w0 = w + (r >> 2) * stride;
      addFour(out, a, b, c, d, w0, w0 + stride, w0 + 2 * stride, w0 + 3 * stride, stride);
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
  const whole = (rows & ~3) as usize;
  for (let row: usize = 0; row < whole; row += 4) {
    const x0 = x + row * stride;
    for (let r: usize = 0; r < (outputs as usize); r++) {
      const at = gradients + row * width + (r << 2);
      const a = v128.load32_splat(at);
      const b = v128.load32_splat(at + width);
      const c = v128.load32_splat(at + 2 * width);
      const d = v128.load32_splat(at + 3 * width);
      addFour(wGradients + r * stride, a, b, c, d, x0, x0 + stride, x0 + 2 * stride, x0 + 3 * stride, stride);
    }
  }
  for (let row: usize = whole; row < (rows as usize); row++) {
    for (let r: usize = 0; r < (outputs as usize); r++) {
      const factor = v128.load32_splat(gradients + row * width + (r << 2));
      const out = wGradients + r * stride;
      for (let i: usize = 0; i < stride; i += VECTOR) {
        v128.store(
          out + i,
          f32x4.add(v128.load(out + i), f32x4.mul(factor, v128.load(x + row * stride + i))),
        );
      }
    }
  }
}

/** out += a A + b B + c C + d D, for four factors and four rows. */
function addFour(
  out: usize,
  a: v128,
  b: v128,
  c: v128,
  d: v128,
  ofA: usize,
  ofB: usize,
  ofC: usize,
  ofD: usize,
  stride: usize,
): void {
  for (let i: usize = 0; i < stride; i += VECTOR) {
    const ab = f32x4.add(f32x4.mul(a, v128.load(ofA + i)), f32x4.mul(b, v128.load(ofB + i)));
    const cd = f32x4.add(f32x4.mul(c, v128.load(ofC + i)), f32x4.mul(d, v128.load(ofD + i)));
    v128.store(out + i, f32x4.add(v128.load(out + i), f32x4.add(ab, cd)));
  }
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
