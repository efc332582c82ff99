// AssemblyScript, compiled to WebAssembly by `npm run build`: the inner loops of networks, four numbers at a time (eight
// times as fast as JavaScript). Matrices are rows of 32-bit floats, addresses are in bytes; the length of a row is a
// multiple of four. There is no fused multiplication and no reordering left to the machine: sums are the same anywhere.

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

/** The products of a row at x with the four rows at w. */
function fourProducts(x: usize, w: usize, stride: usize): v128 {
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
function fourProductsOfTwo(outX: usize, outY: usize, x: usize, y: usize, w: usize, stride: usize): void {
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

/** Adds one row of numbers to each of `rows` rows. */
export function addToRows(x: usize, row: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let r: usize = 0; r < (rows as usize); r++) {
    for (let i: usize = 0; i < width; i += 16) {
      const at = x + r * width + i;
      v128.store(at, f32x4.add(v128.load(at), v128.load(row + i)));
    }
  }
}

/** Adds the sum of `rows` rows to one. */
export function sumOfRows(sum: usize, x: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let i: usize = 0; i < width; i += 16) {
    let total = v128.load(sum + i);
    for (let r: usize = 0; r < (rows as usize); r++) total = f32x4.add(total, v128.load(x + r * width + i));
    v128.store(sum + i, total);
  }
}

/** Multiplies each of `rows` rows by one, number by number. */
export function multiplyRows(x: usize, row: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let r: usize = 0; r < (rows as usize); r++) {
    for (let i: usize = 0; i < width; i += 16) {
      const at = x + r * width + i;
      v128.store(at, f32x4.mul(v128.load(at), v128.load(row + i)));
    }
  }
}

/** Numbers below zero become a tenth of themselves. */
export function rectify(x: usize, count: i32): void {
  const end = x + ((count as usize) << 2);
  for (let at = x; at < end; at += 16) v128.store(at, steepness(v128.load(at), v128.load(at)));
}

/** The slopes of what was rectified to x, in place. */
export function rectifyBack(slopes: usize, x: usize, count: i32): void {
  const bytes = (count as usize) << 2;
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(slopes + i, steepness(v128.load(slopes + i), v128.load(x + i)));
  }
}

/** Numbers, or a tenth of them where others are below zero. */
function steepness(values: v128, others: v128): v128 {
  const tenth = f32x4.mul(values, f32x4.splat(0.1));
  return v128.bitselect(tenth, values, f32x4.lt(others, f32x4.splat(0)));
}

/**
 * A layer of long short-term memory (Hochreiter & Schmidhuber 1997; with forget gates, Gers et al. 2000) over the tokens of
 * a sentence, in their order or from the last one on.
 *
 * @param gates of each token four times `size` numbers: what the inputs add to the gates (input, forget, output) and to
 *   the candidate; they become the gates and the candidate
 * @param hidden of each token `size` numbers, which are filled; likewise `cells` and `squashed`, their tanh
 * @param w what the hidden numbers before add to the gates: 4 `size` rows
 */
export function recur(
  gates: usize,
  hidden: usize,
  cells: usize,
  squashed: usize,
  w: usize,
  length: i32,
  size: i32,
  isBackward: i32,
): void {
  const width = (size as usize) << 2;
  const one = f32x4.splat(1);
  for (let step = 0; step < length; step++) {
    const token = (isBackward ? length - 1 - step : step) as usize;
    const before = isBackward ? token + 1 : token - 1;
    const gate = gates + token * 4 * width;
    if (step > 0) {
      for (let r: usize = 0; r < 4 * width; r += 16) {
        const more = fourProducts(hidden + before * width, w + (r >> 2) * width, width);
        v128.store(gate + r, f32x4.add(v128.load(gate + r), more));
      }
    }
    for (let i: usize = 0; i < width; i += 16) {
      const input = sigmoid(v128.load(gate + i));
      const forget = sigmoid(v128.load(gate + width + i));
      const output = sigmoid(v128.load(gate + 2 * width + i));
      const candidate = f32x4.sub(
        f32x4.mul(f32x4.splat(2), sigmoid(f32x4.mul(f32x4.splat(2), v128.load(gate + 3 * width + i)))),
        one,
      );
      v128.store(gate + i, input);
      v128.store(gate + width + i, forget);
      v128.store(gate + 2 * width + i, output);
      v128.store(gate + 3 * width + i, candidate);
      let cell = f32x4.mul(input, candidate);
      if (step > 0) cell = f32x4.add(cell, f32x4.mul(forget, v128.load(cells + before * width + i)));
      const tanh = f32x4.sub(f32x4.mul(f32x4.splat(2), sigmoid(f32x4.mul(f32x4.splat(2), cell))), one);
      v128.store(cells + token * width + i, cell);
      v128.store(squashed + token * width + i, tanh);
      v128.store(hidden + token * width + i, f32x4.mul(output, tanh));
    }
  }
}

/**
 * The slopes of what was added to the gates, from those of the hidden numbers: the way back through `recur`.
 *
 * @param slopes of the gates, 4 `size` numbers a token, which are filled
 * @param hiddenSlopes of each token; to those of the token before what comes through the gates is added
 * @param cellSlopes room for `size` numbers
 */
export function recurBack(
  slopes: usize,
  hiddenSlopes: usize,
  cellSlopes: usize,
  gates: usize,
  cells: usize,
  squashed: usize,
  w: usize,
  length: i32,
  size: i32,
  isBackward: i32,
): void {
  const width = (size as usize) << 2;
  const one = f32x4.splat(1);
  memory.fill(cellSlopes, 0, width);
  for (let step = length - 1; step >= 0; step--) {
    const token = (isBackward ? length - 1 - step : step) as usize;
    const before = isBackward ? token + 1 : token - 1;
    const gate = gates + token * 4 * width;
    const slope = slopes + token * 4 * width;
    for (let i: usize = 0; i < width; i += 16) {
      const input = v128.load(gate + i);
      const forget = v128.load(gate + width + i);
      const output = v128.load(gate + 2 * width + i);
      const candidate = v128.load(gate + 3 * width + i);
      const tanh = v128.load(squashed + token * width + i);
      const ofHidden = v128.load(hiddenSlopes + token * width + i);
      const throughTanh = f32x4.mul(f32x4.mul(ofHidden, output), f32x4.sub(one, f32x4.mul(tanh, tanh)));
      const ofCell = f32x4.add(v128.load(cellSlopes + i), throughTanh);
      v128.store(slope + i, f32x4.mul(f32x4.mul(ofCell, candidate), ofSigmoid(input)));
      v128.store(slope + 2 * width + i, f32x4.mul(f32x4.mul(ofHidden, tanh), ofSigmoid(output)));
      const ofCandidate = f32x4.sub(one, f32x4.mul(candidate, candidate));
      v128.store(slope + 3 * width + i, f32x4.mul(f32x4.mul(ofCell, input), ofCandidate));
      const last = step > 0 ? v128.load(cells + before * width + i) : f32x4.splat(0);
      v128.store(slope + width + i, f32x4.mul(f32x4.mul(ofCell, last), ofSigmoid(forget)));
      v128.store(cellSlopes + i, f32x4.mul(ofCell, forget));
    }
    if (step > 0) productBack(hiddenSlopes + before * width, slope, w, 1, size, 4 * size);
  }
}

/** The slope of the sigmoid where its value is known. */
function ofSigmoid(value: v128): v128 {
  return f32x4.mul(value, f32x4.sub(f32x4.splat(1), value));
}

function sigmoid(x: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), exponential(f32x4.neg(x))));
}

/**
 * eˣ = 2ⁿ eʳ, where n is whole and |r| ≤ ln 2 / 2: the first is put into the exponent's bits, the second is its Taylor series
 * to the sixth power, right to seven digits.
 */
function exponential(x: v128): v128 {
  const bounded = f32x4.max(f32x4.min(x, f32x4.splat(80)), f32x4.splat(-80));
  const n = f32x4.nearest(f32x4.mul(bounded, f32x4.splat(Mathf.LOG2E)));
  const r = f32x4.sub(bounded, f32x4.mul(n, f32x4.splat(Mathf.LN2)));
  let series = f32x4.splat(1 / 720);
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(1 / 120));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(1 / 24));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(1 / 6));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(0.5));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(1));
  series = f32x4.add(f32x4.mul(series, r), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
  return f32x4.mul(series, power);
}

/** The sum of the squares of numbers. */
export function sumOfSquares(x: usize, count: i32): f32 {
  let total = f32x4.splat(0);
  const end = x + ((count as usize) << 2);
  for (let at = x; at < end; at += 16) {
    const values = v128.load(at);
    total = f32x4.add(total, f32x4.mul(values, values));
  }
  return (
    f32x4.extract_lane(total, 0) +
    f32x4.extract_lane(total, 1) +
    f32x4.extract_lane(total, 2) +
    f32x4.extract_lane(total, 3)
  );
}

/**
 * A step of Adam (Kingma & Ba 2015, algorithm 1); the slopes are then zero.
 *
 * @param scale what the slopes are multiplied by first
 * @param rate the step's length, corrected for the first moments' beginning
 * @param correction what the second moments are divided by for theirs
 */
export function adam(
  weights: usize,
  slopes: usize,
  first: usize,
  second: usize,
  count: i32,
  scale: f32,
  rate: f32,
  correction: f32,
  decay: f32,
  secondDecay: f32,
): void {
  const bytes = (count as usize) << 2;
  const zero = f32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += 16) {
    const slope = f32x4.mul(v128.load(slopes + i), f32x4.splat(scale));
    const mean = f32x4.add(
      f32x4.mul(f32x4.splat(decay), v128.load(first + i)),
      f32x4.mul(f32x4.splat(1 - decay), slope),
    );
    const square = f32x4.add(
      f32x4.mul(f32x4.splat(secondDecay), v128.load(second + i)),
      f32x4.mul(f32x4.splat(1 - secondDecay), f32x4.mul(slope, slope)),
    );
    const size = f32x4.add(f32x4.sqrt(f32x4.div(square, f32x4.splat(correction))), f32x4.splat(1e-8));
    const step = f32x4.div(f32x4.mul(f32x4.splat(rate), mean), size);
    v128.store(weights + i, f32x4.sub(v128.load(weights + i), step));
    v128.store(first + i, mean);
    v128.store(second + i, square);
    v128.store(slopes + i, zero);
  }
}
