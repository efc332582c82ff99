// AssemblyScript, as matrices.ts: what recurrent layers share, functions of numbers, four at a time.

/** Between 0 and 1. */
export function sigmoid(x: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), exponential(x)));
}

/** Between −1 and 1. */
export function tanh(x: v128): v128 {
  const half = sigmoid(f32x4.add(x, x));
  return f32x4.sub(f32x4.add(half, half), f32x4.splat(1));
}

/** 2²³ + 2²², beside which numbers are whole: adding it rounds. */
const WHOLE: f32 = 12582912;

/** The exponent's bits of one. */
const EXPONENT: i32 = 127;

/**
 * 1 / eˣ = 2ⁿ / eʳ, where n is whole and |r| ≤ ln 2 / 2: the first is put into the exponent's bits, the second is its Taylor
 * series to the sixth power, right to seven digits.
 */
function exponential(x: v128): v128 {
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
