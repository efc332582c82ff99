// AssemblyScript, as matrices.ts: inference with weights quantized to 16 bits, eight products at a time. Inputs are rows of
// 16-bit numbers, x = n / `QUANTIZED_ONE`. Weights are laid out as `QuantizedMatrix` says: one load holds two columns of
// four rows, one product adds to the sums of four outputs.

import {
  FLOAT,
  GATES,
  Gate,
  QUANTIZED_ONE,
  QuantizedDenseFields,
  QuantizedLstmFields,
  TILE,
  VECTOR,
} from '../layout.ts';
import { field, sigmoid, tanh } from './vectors.ts';

/**
 * out = x wᵀ + bias, x: rows × inner, for `outputs` outputs from `first` on, both multiples of four; rows of `out` are
 * `outStride` bytes apart. Number i of `rowScales` is the scale of row i of x; address 0: all scales are 1.
 */
export function quantizedRows(
  out: usize,
  outStride: usize,
  x: usize,
  rowScales: usize,
  layer: usize,
  rows: i32,
  first: i32,
  outputs: i32,
): void {
  const stride = field(layer, QuantizedDenseFields.inner) << 1;
  const w = field(layer, QuantizedDenseFields.weights) + (first as usize) * stride;
  const scales = field(layer, QuantizedDenseFields.scales) + (first as usize) * FLOAT;
  const bias = field(layer, QuantizedDenseFields.bias) + (first as usize) * FLOAT;
  const width = (outputs as usize) << 2;
  for (let from = 0; from < rows; from += TILE) {
    const end = min(from + TILE, rows);
    for (let r: usize = 0; r < width; r += VECTOR) {
      const at = w + r * (stride >> 2);
      let row = from;
      for (; row + 4 <= end; row += 4) {
        const i = row as usize;
        const to = out + i * outStride + r;
        fourRows(to, outStride, x + i * stride, stride, at, scales + r, bias + r, scaleOf(rowScales, row));
      }
      for (; row < end; row++) {
        const i = row as usize;
        const sums = rowSums(x + i * stride, stride, at);
        storeScaled(out + i * outStride + r, sums, scales + r, bias + r, scaleOf(rowScales, row));
      }
    }
  }
}

/** The address of the scale of a row; 0: it is 1. */
function scaleOf(rowScales: usize, row: i32): usize {
  return rowScales === 0 ? 0 : rowScales + ((row as usize) << 2);
}

/** Four outputs of each of four rows, which read the weights once. */
function fourRows(
  out: usize,
  outStride: usize,
  x: usize,
  stride: usize,
  w: usize,
  scales: usize,
  bias: usize,
  rowScale: usize,
): void {
  let sums0 = i32x4.splat(0);
  let sums1 = i32x4.splat(0);
  let sums2 = i32x4.splat(0);
  let sums3 = i32x4.splat(0);
  const end = x + stride;
  for (; x < end; x += 8) {
    const x1 = x + stride;
    const x2 = x1 + stride;
    const x3 = x2 + stride;
    const weights = v128.load(w);
    sums0 = i32x4.add(sums0, i32x4.dot_i16x8_s(v128.load32_splat(x), weights));
    sums1 = i32x4.add(sums1, i32x4.dot_i16x8_s(v128.load32_splat(x1), weights));
    sums2 = i32x4.add(sums2, i32x4.dot_i16x8_s(v128.load32_splat(x2), weights));
    sums3 = i32x4.add(sums3, i32x4.dot_i16x8_s(v128.load32_splat(x3), weights));
    const more = v128.load(w, VECTOR);
    sums0 = i32x4.add(sums0, i32x4.dot_i16x8_s(v128.load32_splat(x, 4), more));
    sums1 = i32x4.add(sums1, i32x4.dot_i16x8_s(v128.load32_splat(x1, 4), more));
    sums2 = i32x4.add(sums2, i32x4.dot_i16x8_s(v128.load32_splat(x2, 4), more));
    sums3 = i32x4.add(sums3, i32x4.dot_i16x8_s(v128.load32_splat(x3, 4), more));
    w += 2 * VECTOR;
  }
  const next: usize = rowScale === 0 ? 0 : FLOAT;
  storeScaled(out, sums0, scales, bias, rowScale);
  storeScaled(out + outStride, sums1, scales, bias, rowScale + next);
  storeScaled(out + 2 * outStride, sums2, scales, bias, rowScale + 2 * next);
  storeScaled(out + 3 * outStride, sums3, scales, bias, rowScale + 3 * next);
}

/** The quantized sums of four outputs of a row. */
function rowSums(x: usize, stride: usize, w: usize): v128 {
  let sums = i32x4.splat(0);
  let others = i32x4.splat(0);
  const end = x + stride;
  for (; x < end; x += 8) {
    sums = i32x4.add(sums, i32x4.dot_i16x8_s(v128.load32_splat(x), v128.load(w)));
    others = i32x4.add(others, i32x4.dot_i16x8_s(v128.load32_splat(x, 4), v128.load(w, VECTOR)));
    w += 2 * VECTOR;
  }
  return i32x4.add(sums, others);
}

function storeScaled(out: usize, sums: v128, scales: usize, bias: usize, rowScale: usize): void {
  let values = scaled(sums, scales);
  if (rowScale !== 0) values = f32x4.mul(v128.load32_splat(rowScale), values);
  v128.store(out, f32x4.add(v128.load(bias), values));
}

/** Quantizes rows of x, each by its largest absolute value, stored in `scales`: x = scale × n / `QUANTIZED_ONE`. */
export function quantizeRows(out: usize, scales: usize, x: usize, rows: i32, length: i32): void {
  const width = (length as usize) << 2;
  for (let row: usize = 0; row < (rows as usize); row++) {
    const from = x + row * width;
    let most = f32x4.splat(0);
    for (let i: usize = 0; i < width; i += VECTOR) most = f32x4.max(most, f32x4.abs(v128.load(from + i)));
    most = f32x4.max(most, i32x4.shuffle(most, most, 2, 3, 0, 1));
    most = f32x4.max(most, i32x4.shuffle(most, most, 1, 0, 3, 2));
    const largest = f32x4.extract_lane(most, 0);
    const factor = f32x4.splat(largest > 0 ? (QUANTIZED_ONE as f32) / largest : 0);
    store<f32>(scales + (row << 2), largest);
    for (let i: usize = 0; i < width; i += VECTOR) {
      const whole = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(factor, v128.load(from + i))));
      v128.store64_lane(out + ((row * width + i) >> 1), i16x8.narrow_i32x4_s(whole, whole), 0);
    }
  }
}

/** The layer `lstm` for inference, its output in 16-bit numbers; `layer` of `QuantizedLstmFields`. */
export function quantizedLstm(layer: usize, length: i32): void {
  const out = field(layer, QuantizedLstmFields.out);
  const stride = field(layer, QuantizedLstmFields.stride);
  const inputs = field(layer, QuantizedLstmFields.inputs);
  const offset = field(layer, QuantizedLstmFields.offset);
  const cells = field(layer, QuantizedLstmFields.scratch);
  const width = field(layer, QuantizedLstmFields.size) << 2;
  const isBackward = field(layer, QuantizedLstmFields.isBackward);
  const gates = cells + width;
  memory.fill(cells, 0, width);
  for (let step = 0; step < length; step++) {
    const token = (isBackward ? length - 1 - step : step) as usize;
    const target = out + token * stride;
    const first = load<usize>(inputs + (token << 3)) + offset;
    const second = load<usize>(inputs + (token << 3) + 4) + offset;
    const inner = step > 0 ? width >> 1 : 0;
    const before = isBackward ? target + stride : target - stride;
    fillGates(gates, layer, first, second, before, inner);
    // A loop per operation hides the latency of each.
    for (let i: usize = 0; i < width * GATES; i += VECTOR) {
      v128.store(gates + i, sigmoid(v128.load(gates + i)));
    }
    for (let i: usize = 0; i < width; i += VECTOR) {
      updateCells(target + (i >> 1), cells + i, gates + i, width);
    }
  }
}

/**
 * Fills the sums of the three gates of all units, and twice the sum of the candidate, since
 * tanh x = 2 sigmoid(2x) − 1.
 * @param hidden the previous output
 */
function fillGates(
  gates: usize,
  layer: usize,
  first: usize,
  second: usize,
  hidden: usize,
  inner: usize,
): void {
  const w = field(layer, QuantizedLstmFields.weights);
  const scales = field(layer, QuantizedLstmFields.scales);
  const width = field(layer, QuantizedLstmFields.size) << 2;
  for (let unit: usize = 0; unit < width; unit += VECTOR) {
    let ofInput = i32x4.splat(0);
    let ofForget = i32x4.splat(0);
    let ofOutput = i32x4.splat(0);
    let ofCandidate = i32x4.splat(0);
    let at = w + unit * (width >> 1);
    // Two pairs of columns at a time: an eighth faster than one, and faster than four.
    for (let x = hidden; x < hidden + inner; x += 8) {
      let pair = v128.load32_splat(x);
      ofInput = i32x4.add(ofInput, i32x4.dot_i16x8_s(pair, v128.load(at, Gate.input * VECTOR)));
      ofForget = i32x4.add(ofForget, i32x4.dot_i16x8_s(pair, v128.load(at, Gate.forget * VECTOR)));
      ofOutput = i32x4.add(ofOutput, i32x4.dot_i16x8_s(pair, v128.load(at, Gate.output * VECTOR)));
      ofCandidate = i32x4.add(ofCandidate, i32x4.dot_i16x8_s(pair, v128.load(at, Gate.candidate * VECTOR)));
      pair = v128.load32_splat(x, 4);
      ofInput = i32x4.add(ofInput, i32x4.dot_i16x8_s(pair, v128.load(at, NEXT + Gate.input * VECTOR)));
      ofForget = i32x4.add(ofForget, i32x4.dot_i16x8_s(pair, v128.load(at, NEXT + Gate.forget * VECTOR)));
      ofOutput = i32x4.add(ofOutput, i32x4.dot_i16x8_s(pair, v128.load(at, NEXT + Gate.output * VECTOR)));
      ofCandidate = i32x4.add(
        ofCandidate,
        i32x4.dot_i16x8_s(pair, v128.load(at, NEXT + Gate.candidate * VECTOR)),
      );
      at += 2 * NEXT;
    }
    const scale = scales + unit * GATES;
    const target = gates + unit;
    const a = first + unit;
    const b = second + unit;
    fillGate(target, Gate.input, ofInput, scale, a, b, width);
    fillGate(target, Gate.forget, ofForget, scale, a, b, width);
    fillGate(target, Gate.output, ofOutput, scale, a, b, width);
    const candidate = target + width * Gate.candidate;
    fillGate(target, Gate.candidate, ofCandidate, scale, a, b, width);
    v128.store(candidate, f32x4.add(v128.load(candidate), v128.load(candidate)));
  }
}

/** Size of two columns of the weights of all gates of four units, in bytes. */
const NEXT = GATES * VECTOR;

/** Fills one gate of four units: its quantized sums times their scales, and the two rows that are added. */
function fillGate(
  gates: usize,
  gate: i32,
  sums: v128,
  scales: usize,
  first: usize,
  second: usize,
  width: usize,
): void {
  const added = f32x4.add(v128.load(first + width * gate), v128.load(second + width * gate));
  v128.store(gates + width * gate, f32x4.add(scaled(sums, scales + gate * VECTOR), added));
}

/** Updates the cells of four units and stores their output. */
function updateCells(out: usize, cells: usize, gates: usize, width: usize): void {
  const half = v128.load(gates + width * Gate.candidate);
  const candidate = f32x4.sub(f32x4.add(half, half), f32x4.splat(1));
  const kept = f32x4.mul(v128.load(gates + width * Gate.forget), v128.load(cells));
  const cell = f32x4.add(f32x4.mul(v128.load(gates + width * Gate.input), candidate), kept);
  v128.store(cells, cell);
  const hidden = f32x4.mul(v128.load(gates + width * Gate.output), tanh(cell));
  const whole = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(hidden, f32x4.splat(QUANTIZED_ONE as f32))));
  v128.store64_lane(out, i16x8.narrow_i32x4_s(whole, whole), 0);
}

/** Converts quantized sums to floats. */
function scaled(sums: v128, scales: usize): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(sums), v128.load(scales));
}
