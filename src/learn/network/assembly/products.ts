// AssemblyScript, as matrices.ts: what matrices and recurrent layers share, sums of products, four at a time.

/** The products of a row at x with the four rows at w. */
export function fourProducts(x: usize, w: usize, stride: usize): v128 {
  const w1 = w + stride;
  const w2 = w1 + stride;
  const w3 = w2 + stride;
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  let c = f32x4.splat(0);
  let d = f32x4.splat(0);
  for (let i: usize = 0; i < stride; i += 16) {
    const values = v128.load(x + i);
    a = f32x4.add(a, f32x4.mul(values, v128.load(w + i)));
    b = f32x4.add(b, f32x4.mul(values, v128.load(w1 + i)));
    c = f32x4.add(c, f32x4.mul(values, v128.load(w2 + i)));
    d = f32x4.add(d, f32x4.mul(values, v128.load(w3 + i)));
  }
  return sums(a, b, c, d);
}

/** The same of two rows, by one pass over the four at w. */
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
  for (let i: usize = 0; i < stride; i += 16) {
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

/** Of four vectors the sum of each. */
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
  const cd = f32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
  return f32x4.add(i32x4.shuffle(ab, cd, 0, 1, 4, 5), i32x4.shuffle(ab, cd, 2, 3, 6, 7));
}
