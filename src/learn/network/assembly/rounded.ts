// AssemblyScript, as matrices.ts: the inner loops of networks that have learnt, in whole numbers of 16 bits, eight products
// at a time. A row of numbers x is one of whole numbers, each times the same; weights are laid out for every four outputs
// together, of each pair of inputs (`RoundedMatrix`): what comes of one load is a sum for each of the four outputs.

import { sigmoid, tanh } from './squashing.ts';

/** out = x wᵀ + bias: of `rows` rows of x, each of `inner` numbers, with `outputs` rows of w, each times its own scale. */
export function roundedProduct(
  out: usize,
  x: usize,
  w: usize,
  scales: usize,
  bias: usize,
  rows: i32,
  inner: i32,
  outputs: i32,
): void {
  const stride = (inner as usize) << 1;
  const width = (outputs as usize) << 2;
  for (let row: usize = 0; row < (rows as usize); row++) {
    for (let r: usize = 0; r < width; r += 16) {
      const at = w + r * (stride >> 2);
      let sums = i32x4.splat(0);
      for (let i: usize = 0; i < stride; i += 4) {
        const pair = v128.load32_splat(x + row * stride + i);
        sums = i32x4.add(sums, i32x4.dot_i16x8_s(pair, v128.load(at + (i << 2))));
      }
      v128.store(out + row * width + r, f32x4.add(v128.load(bias + r), scaled(sums, scales + r)));
    }
  }
}

/**
 * A layer of long short-term memory, as `recur`, that keeps nothing but what comes out: rows of whole numbers, each
 * times 1 / 2^14, `outStride` bytes after each other.
 *
 * @param inputs of each token two addresses of 4 `size` numbers, `from` bytes before those: what they come to together
 *   is added to the gates
 * @param room for five times `size` numbers
 * @param w laid out by sixteen outputs: the four gates of four units
 */
export function roundedRecur(
  out: usize,
  outStride: usize,
  inputs: usize,
  from: usize,
  room: usize,
  w: usize,
  scales: usize,
  length: i32,
  size: i32,
  isBackward: i32,
): void {
  const width = (size as usize) << 2;
  const gates = room + width;
  memory.fill(room, 0, width);
  for (let step = 0; step < length; step++) {
    const token = (isBackward ? length - 1 - step : step) as usize;
    const target = out + token * outStride;
    const first = (load<u32>(inputs + (token << 3)) as usize) + from;
    const second = (load<u32>(inputs + (token << 3) + 4) as usize) + from;
    const inner = step > 0 ? width >> 1 : 0;
    const before = isBackward ? target + outStride : target - outStride;
    fillGates(gates, first, second, before, inner, w, scales, width);
    // Each step for all units: what waits for another number does not wait for long.
    for (let i: usize = 0; i < width << 2; i += 16) v128.store(gates + i, sigmoid(v128.load(gates + i)));
    for (let i: usize = 0; i < width; i += 16) remember(target + (i >> 1), room + i, gates + i, width);
  }
}

/**
 * Of all units the three gates, and twice the candidate.
 *
 * @param hidden what came out before, of `inner` bytes
 */
function fillGates(
  gates: usize,
  first: usize,
  second: usize,
  hidden: usize,
  inner: usize,
  w: usize,
  scales: usize,
  width: usize,
): void {
  for (let unit: usize = 0; unit < width; unit += 16) {
    let ofInput = i32x4.splat(0);
    let ofForget = i32x4.splat(0);
    let ofOutput = i32x4.splat(0);
    let ofCandidate = i32x4.splat(0);
    let at = w + unit * (width >> 1);
    // Two pairs at a time: an eighth faster than one, and faster than four.
    for (let x = hidden; x < hidden + inner; x += 8) {
      let pair = v128.load32_splat(x);
      ofInput = i32x4.add(ofInput, i32x4.dot_i16x8_s(pair, v128.load(at)));
      ofForget = i32x4.add(ofForget, i32x4.dot_i16x8_s(pair, v128.load(at, 16)));
      ofOutput = i32x4.add(ofOutput, i32x4.dot_i16x8_s(pair, v128.load(at, 32)));
      ofCandidate = i32x4.add(ofCandidate, i32x4.dot_i16x8_s(pair, v128.load(at, 48)));
      pair = v128.load32_splat(x, 4);
      ofInput = i32x4.add(ofInput, i32x4.dot_i16x8_s(pair, v128.load(at, 64)));
      ofForget = i32x4.add(ofForget, i32x4.dot_i16x8_s(pair, v128.load(at, 80)));
      ofOutput = i32x4.add(ofOutput, i32x4.dot_i16x8_s(pair, v128.load(at, 96)));
      ofCandidate = i32x4.add(ofCandidate, i32x4.dot_i16x8_s(pair, v128.load(at, 112)));
      at += 128;
    }
    const scale = scales + (unit << 2);
    const a = first + unit;
    const b = second + unit;
    const candidate = gate(ofCandidate, scale + 48, a + 3 * width, b + 3 * width);
    v128.store(gates + unit, gate(ofInput, scale, a, b));
    v128.store(gates + width + unit, gate(ofForget, scale + 16, a + width, b + width));
    v128.store(gates + 2 * width + unit, gate(ofOutput, scale + 32, a + 2 * width, b + 2 * width));
    v128.store(gates + 3 * width + unit, f32x4.add(candidate, candidate));
  }
}

/** What comes to four gates: sums of whole numbers, and what two inputs add. */
function gate(sums: v128, scales: usize, first: usize, second: usize): v128 {
  return f32x4.add(scaled(sums, scales), f32x4.add(v128.load(first), v128.load(second)));
}

/** Changes four cells by their gates, and stores what comes out of them. */
function remember(out: usize, cells: usize, gates: usize, width: usize): void {
  const half = v128.load(gates + 3 * width);
  const candidate = f32x4.sub(f32x4.add(half, half), f32x4.splat(1));
  const kept = f32x4.mul(v128.load(gates + width), v128.load(cells));
  const cell = f32x4.add(f32x4.mul(v128.load(gates), candidate), kept);
  v128.store(cells, cell);
  const hidden = f32x4.mul(f32x4.mul(v128.load(gates + 2 * width), tanh(cell)), f32x4.splat(16384));
  const whole = i32x4.trunc_sat_f32x4_s(f32x4.nearest(hidden));
  v128.store64_lane(out, i16x8.narrow_i32x4_s(whole, whole), 0);
}

/** Sums of whole numbers, each times its scale. */
function scaled(sums: v128, scales: usize): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(sums), v128.load(scales));
}
