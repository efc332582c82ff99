// AssemblyScript, as matrices.ts: LSTM layers.

import { GATES, Gate, LstmFields, VECTOR } from '../layout.ts';
import { productBack } from './matrices.ts';
import { field, fourProducts, sigmoid, tanh } from './vectors.ts';

/**
 * Long short-term memory (Hochreiter & Schmidhuber 1997; with forget gates, Gers et al. 2000) over the tokens of a
 * sentence, from the first one on or from the last.
 *
 * Expects the inputs' part of the gates in `gates` and overwrites it with the gates; fills `hidden`, `cells` and
 * `cellActivations` (tanh of the cells). `weights`: 4 size × size.
 *
 * @param layer of `LstmFields`
 */
export function lstm(layer: usize, length: i32): void {
  const gates = field(layer, LstmFields.gates);
  const hidden = field(layer, LstmFields.hidden);
  const cells = field(layer, LstmFields.cells);
  const activations = field(layer, LstmFields.cellActivations);
  const w = field(layer, LstmFields.weights);
  const width = field(layer, LstmFields.size) << 2;
  const isBackward = field(layer, LstmFields.isBackward);
  for (let step = 0; step < length; step++) {
    const token = (isBackward ? length - 1 - step : step) as usize;
    const before = isBackward ? token + 1 : token - 1;
    const gate = gates + token * width * GATES;
    if (step > 0) {
      for (let r: usize = 0; r < width * GATES; r += VECTOR) {
        const more = fourProducts(hidden + before * width, w + (r >> 2) * width, width);
        v128.store(gate + r, f32x4.add(v128.load(gate + r), more));
      }
    }
    const last = step > 0 ? cells + before * width : 0;
    activate(gate, width);
    updateCells(
      gate,
      last,
      cells + token * width,
      activations + token * width,
      hidden + token * width,
      width,
    );
  }
}

/** Applies the activations to the gates' sums. A loop per operation hides the latency of each. */
function activate(gate: usize, width: usize): void {
  const candidates = width * Gate.candidate;
  for (let i: usize = 0; i < candidates; i += VECTOR) v128.store(gate + i, sigmoid(v128.load(gate + i)));
  for (let i = candidates; i < width * GATES; i += VECTOR) v128.store(gate + i, tanh(v128.load(gate + i)));
}

/** Computes one token's cells, their activations and the output. @param before address of the previous cells, 0: none */
function updateCells(
  gate: usize,
  before: usize,
  cells: usize,
  activations: usize,
  hidden: usize,
  width: usize,
): void {
  for (let i: usize = 0; i < width; i += VECTOR) {
    let cell = f32x4.mul(
      v128.load(gate + width * Gate.input + i),
      v128.load(gate + width * Gate.candidate + i),
    );
    if (before !== 0) {
      cell = f32x4.add(cell, f32x4.mul(v128.load(gate + width * Gate.forget + i), v128.load(before + i)));
    }
    const activation = tanh(cell);
    v128.store(cells + i, cell);
    v128.store(activations + i, activation);
    v128.store(hidden + i, f32x4.mul(v128.load(gate + width * Gate.output + i), activation));
  }
}

/**
 * One step of many sentences at once: rows `first` to `first + rows − 1` of every matrix. The gates hold
 * their sums, recurrent products included. A row's previous cells are `rows` rows above; a row that is
 * flagged in `starts` (32 bits) has none.
 */
export function lstmStep(layer: usize, first: i32, rows: i32, starts: usize): void {
  const gates = field(layer, LstmFields.gates);
  const hidden = field(layer, LstmFields.hidden);
  const cells = field(layer, LstmFields.cells);
  const activations = field(layer, LstmFields.cellActivations);
  const width = field(layer, LstmFields.size) << 2;
  for (let row = first as usize; row < ((first + rows) as usize); row++) {
    const gate = gates + row * width * GATES;
    const at = row * width;
    const isStart = load<i32>(starts + (row << 2)) !== 0;
    const before = isStart ? (0 as usize) : cells + at - (rows as usize) * width;
    activate(gate, width);
    updateCells(gate, before, cells + at, activations + at, hidden + at, width);
  }
}

/** Backward pass: fills `gateGradients` from `hiddenGradients`, to which it adds those that flow back through the gates. */
export function lstmBack(layer: usize, length: i32): void {
  const gradients = field(layer, LstmFields.gateGradients);
  const hiddenGradients = field(layer, LstmFields.hiddenGradients);
  const cellGradients = field(layer, LstmFields.cellGradients);
  const gates = field(layer, LstmFields.gates);
  const cells = field(layer, LstmFields.cells);
  const activations = field(layer, LstmFields.cellActivations);
  const size = field(layer, LstmFields.size);
  const width = size << 2;
  const isBackward = field(layer, LstmFields.isBackward);
  memory.fill(cellGradients, 0, width);
  for (let step = length - 1; step >= 0; step--) {
    const token = (isBackward ? length - 1 - step : step) as usize;
    const before = isBackward ? token + 1 : token - 1;
    const gate = gates + token * width * GATES;
    const gradient = gradients + token * width * GATES;
    fillGateGradients(
      gradient,
      gate,
      step > 0 ? cells + before * width : 0,
      activations + token * width,
      hiddenGradients + token * width,
      cellGradients,
      width,
    );
    if (step > 0) {
      const w = field(layer, LstmFields.weights);
      productBack(hiddenGradients + before * width, gradient, w, 1, size as i32, GATES * (size as i32));
    }
  }
}

/** Computes one token's gate gradients, and turns the gradients of its cells into those of the previous cells. */
function fillGateGradients(
  gradient: usize,
  gate: usize,
  before: usize,
  activations: usize,
  hiddenGradients: usize,
  cellGradients: usize,
  width: usize,
): void {
  const one = f32x4.splat(1);
  for (let i: usize = 0; i < width; i += VECTOR) {
    const input = v128.load(gate + width * Gate.input + i);
    const forget = v128.load(gate + width * Gate.forget + i);
    const output = v128.load(gate + width * Gate.output + i);
    const candidate = v128.load(gate + width * Gate.candidate + i);
    const activation = v128.load(activations + i);
    const ofHidden = v128.load(hiddenGradients + i);
    const ofActivation = f32x4.sub(one, f32x4.mul(activation, activation));
    const throughTanh = f32x4.mul(f32x4.mul(ofHidden, output), ofActivation);
    const ofCell = f32x4.add(v128.load(cellGradients + i), throughTanh);
    const ofInput = f32x4.mul(f32x4.mul(ofCell, candidate), sigmoidDerivative(input));
    v128.store(gradient + width * Gate.input + i, ofInput);
    const ofOutput = f32x4.mul(f32x4.mul(ofHidden, activation), sigmoidDerivative(output));
    v128.store(gradient + width * Gate.output + i, ofOutput);
    const ofCandidate = f32x4.sub(one, f32x4.mul(candidate, candidate));
    v128.store(gradient + width * Gate.candidate + i, f32x4.mul(f32x4.mul(ofCell, input), ofCandidate));
    const last = before !== 0 ? v128.load(before + i) : f32x4.splat(0);
    const ofForget = f32x4.mul(f32x4.mul(ofCell, last), sigmoidDerivative(forget));
    v128.store(gradient + width * Gate.forget + i, ofForget);
    v128.store(cellGradients + i, f32x4.mul(ofCell, forget));
  }
}

/** Backward pass of `lstmStep`; `cellGradients`: a row for each sentence, passed on to the previous step. */
export function lstmStepBack(layer: usize, first: i32, rows: i32, starts: usize): void {
  const gradients = field(layer, LstmFields.gateGradients);
  const hiddenGradients = field(layer, LstmFields.hiddenGradients);
  const cellGradients = field(layer, LstmFields.cellGradients);
  const gates = field(layer, LstmFields.gates);
  const cells = field(layer, LstmFields.cells);
  const activations = field(layer, LstmFields.cellActivations);
  const width = field(layer, LstmFields.size) << 2;
  for (let r: usize = 0; r < (rows as usize); r++) {
    const row = (first as usize) + r;
    const at = row * width;
    const isStart = load<i32>(starts + (row << 2)) !== 0;
    fillGateGradients(
      gradients + at * GATES,
      gates + at * GATES,
      isStart ? (0 as usize) : cells + at - (rows as usize) * width,
      activations + at,
      hiddenGradients + at,
      cellGradients + r * width,
      width,
    );
    if (isStart) memory.fill(cellGradients + r * width, 0, width);
  }
}

/** The derivative of the sigmoid, given its value. */
function sigmoidDerivative(value: v128): v128 {
  return f32x4.mul(value, f32x4.sub(f32x4.splat(1), value));
}
