// AssemblyScript, compiled to WebAssembly by `npm run build`: the inner loops of networks, four numbers at a time (eight
// times as fast as JavaScript). Matrices are rows of 32-bit floats, addresses are in bytes; the length of a row is a
// multiple of four. There is no fused multiplication and no reordering left to the machine: sums are the same anywhere.

import { fourProducts, fourProductsOfTwo } from './products.ts';

/** out = x wᵀ: of `rows` rows of x, each of `inner` numbers, the products with the `outputs` rows of w. */
export function product(out: usize, x: usize, w: usize, rows: i32, inner: i32, outputs: i32): void {
  const stride = (inner as usize) << 2;
  const width = (outputs as usize) << 2;
  let row = 0;
  for (; row + 2 <= rows; row += 2) {
    const first = x + (row as usize) * stride;
    const at = out + (row as usize) * width;
    for (let r: usize = 0; r < width; r += 16) {
      fourProductsOfTwo(at + r, at + width + r, first, first + stride, w + (r >> 2) * stride, stride);
    }
  }
  if (row < rows) {
    const at = out + (row as usize) * width;
    for (let r: usize = 0; r < width; r += 16) {
      v128.store(at + r, fourProducts(x + (row as usize) * stride, w + (r >> 2) * stride, stride));
    }
  }
}

/** The slopes of x where those of x wᵀ are `slopes`, added up: xSlopes += slopes w. */
export function productBack(
  xSlopes: usize,
  slopes: usize,
  w: usize,
  rows: i32,
  inner: i32,
  outputs: i32,
): void {
  const stride = (inner as usize) << 2;
  const width = (outputs as usize) << 2;
  for (let row: usize = 0; row < (rows as usize); row++) {
    const out = xSlopes + row * stride;
    for (let r: usize = 0; r < width; r += 16) {
      const four = v128.load(slopes + row * width + r);
      const a = i32x4.shuffle(four, four, 0, 0, 0, 0);
      const b = i32x4.shuffle(four, four, 1, 1, 1, 1);
      const c = i32x4.shuffle(four, four, 2, 2, 2, 2);
      const d = i32x4.shuffle(four, four, 3, 3, 3, 3);
      const w0 = w + (r >> 2) * stride;
      addFour(out, a, b, c, d, w0, w0 + stride, w0 + 2 * stride, w0 + 3 * stride, stride);
    }
  }
}

/** The slopes of w, added up: wSlopes += slopesᵀ x. */
export function productWeights(
  wSlopes: usize,
  slopes: usize,
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
      const at = slopes + row * width + (r << 2);
      const a = v128.load32_splat(at);
      const b = v128.load32_splat(at + width);
      const c = v128.load32_splat(at + 2 * width);
      const d = v128.load32_splat(at + 3 * width);
      addFour(wSlopes + r * stride, a, b, c, d, x0, x0 + stride, x0 + 2 * stride, x0 + 3 * stride, stride);
    }
  }
  for (let row: usize = whole; row < (rows as usize); row++) {
    for (let r: usize = 0; r < (outputs as usize); r++) {
      const factor = v128.load32_splat(slopes + row * width + (r << 2));
      const out = wSlopes + r * stride;
      for (let i: usize = 0; i < stride; i += 16) {
        v128.store(
          out + i,
          f32x4.add(v128.load(out + i), f32x4.mul(factor, v128.load(x + row * stride + i))),
        );
      }
    }
  }
}

/** Adds four rows to one, each times its factor. */
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
  for (let i: usize = 0; i < stride; i += 16) {
    const ab = f32x4.add(f32x4.mul(a, v128.load(ofA + i)), f32x4.mul(b, v128.load(ofB + i)));
    const cd = f32x4.add(f32x4.mul(c, v128.load(ofC + i)), f32x4.mul(d, v128.load(ofD + i)));
    v128.store(out + i, f32x4.add(v128.load(out + i), f32x4.add(ab, cd)));
  }
}
