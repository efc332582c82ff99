// AssemblyScript, as matrices.ts: helpers of its files, not exported from the module.

import { FLOAT, VECTOR } from '../layout.ts';

export function field(struct: usize, index: i32): usize {
  return load<usize>(struct + index * FLOAT);
}

/** The dot products of the row at x with each of four rows at w, two vectors at a time. */
export function fourProducts(x: usize, w: usize, stride: usize): v128 {
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  let c = f32x4.splat(0);
  let d = f32x4.splat(0);
  const end = x + stride;
  const toW = w - x;
  if (stride & VECTOR) {
    const values = v128.load(x);
    a = f32x4.add(a, f32x4.mul(values, v128.load(w)));
    b = f32x4.add(b, f32x4.mul(values, v128.load(w + stride)));
    c = f32x4.add(c, f32x4.mul(values, v128.load(w + 2 * stride)));
    d = f32x4.add(d, f32x4.mul(values, v128.load(w + 3 * stride)));
    x += VECTOR;
  }
  for (; x < end; x += 2 * VECTOR) {
    const first = x + toW;
    const second = first + stride;
    const third = second + stride;
    const fourth = third + stride;
    let values = v128.load(x);
    a = f32x4.add(a, f32x4.mul(values, v128.load(first)));
    b = f32x4.add(b, f32x4.mul(values, v128.load(second)));
    c = f32x4.add(c, f32x4.mul(values, v128.load(third)));
    d = f32x4.add(d, f32x4.mul(values, v128.load(fourth)));
    values = v128.load(x, VECTOR);
    a = f32x4.add(a, f32x4.mul(values, v128.load(first, VECTOR)));
    b = f32x4.add(b, f32x4.mul(values, v128.load(second, VECTOR)));
    c = f32x4.add(c, f32x4.mul(values, v128.load(third, VECTOR)));
    d = f32x4.add(d, f32x4.mul(values, v128.load(fourth, VECTOR)));
  }
  return sums(a, b, c, d);
}

/** Stores the same for two rows, x and y, reading the four rows at w once. */
export function fourProductsOfTwo(
  outX: usize,
  outY: usize,
  x: usize,
  y: usize,
  w: usize,
  stride: usize,
): void {
  const w1 = w + stride;
  const w2 = w1 + stride;
  const w3 = w2 + stride;
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  let c = f32x4.splat(0);
  let d = f32x4.splat(0);
  let e = f32x4.splat(0);
  let f = f32x4.splat(0);
  let g = f32x4.splat(0);
  let h = f32x4.splat(0);
  for (let i: usize = 0; i < stride; i += VECTOR) {
    const ofX = v128.load(x + i);
    const ofY = v128.load(y + i);
    let weights = v128.load(w + i);
    a = f32x4.add(a, f32x4.mul(ofX, weights));
    e = f32x4.add(e, f32x4.mul(ofY, weights));
    weights = v128.load(w1 + i);
    b = f32x4.add(b, f32x4.mul(ofX, weights));
    f = f32x4.add(f, f32x4.mul(ofY, weights));
    weights = v128.load(w2 + i);
    c = f32x4.add(c, f32x4.mul(ofX, weights));
    g = f32x4.add(g, f32x4.mul(ofY, weights));
    weights = v128.load(w3 + i);
    d = f32x4.add(d, f32x4.mul(ofX, weights));
    h = f32x4.add(h, f32x4.mul(ofY, weights));
  }
  v128.store(outX, sums(a, b, c, d));
  v128.store(outY, sums(e, f, g, h));
}

/** The sums of the four lanes of each vector. */
export function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
  const cd = f32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
  return f32x4.add(i32x4.shuffle(ab, cd, 0, 1, 4, 5), i32x4.shuffle(ab, cd, 2, 3, 6, 7));
}

/** 1 / (1 + e⁻ˣ), between 0 and 1. */
export function sigmoid(x: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), exponential(x)));
}

/** tanh x = 2 sigmoid(2x) − 1, between −1 and 1. */
export function tanh(x: v128): v128 {
  const half = sigmoid(f32x4.add(x, x));
  return f32x4.sub(f32x4.add(half, half), f32x4.splat(1));
}

/** 2²³ + 2²²: a 32-bit float of this size has no fraction, so adding it rounds. */
const WHOLE: f32 = 12582912;
/** The exponent bits of 1. */
const EXPONENT: i32 = 127;

/**
 * e⁻ˣ = 2ⁿ e⁻ʳ with n whole and |r| ≤ ln 2 / 2: n goes into the exponent bits, e⁻ʳ is the Taylor series to the sixth power,
 * right to seven digits.
 */
export function exponential(x: v128): v128 {
  const bounded = f32x4.pmax(f32x4.pmin(x, f32x4.splat(80)), f32x4.splat(-80));
  const shifted = f32x4.add(f32x4.mul(bounded, f32x4.splat(-Mathf.LOG2E)), f32x4.splat(WHOLE));
  const n = f32x4.sub(shifted, f32x4.splat(WHOLE));
  const r = f32x4.add(bounded, f32x4.mul(n, f32x4.splat(Mathf.LN2)));
  let series = f32x4.splat(1 / 720);
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(-1 / 120));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(1 / 24));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(-1 / 6));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(0.5));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(-1));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(1));
  return f32x4.mul(series, i32x4.shl(i32x4.add(shifted, i32x4.splat(EXPONENT)), 23));
}
