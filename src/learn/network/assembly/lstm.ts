// AssemblyScript, as matrices.ts: LSTM layers.

import { GATES, Gate, LstmFields, VECTOR } from '../layout.ts';
import { productBack } from './matrices.ts';
import { field, fourProducts, sigmoid, tanh } from './vectors.ts';

/**
 * Long short-term memory (Hochreiter & Schmidhuber 1997; with forget gates, Gers et al. 2000) over the tokens of a
 * sentence, from the first one on or from the last.
 *
 * Expects in `gates` what the inputs add to the gates, and replaces it by the gates; fills `hidden`, `cells` and
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
  const candidates = width * Gate.candidate;
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
    // One loop for each operation: a number is seldom waited for.
    for (let i: usize = 0; i < candidates; i += VECTOR) v128.store(gate + i, sigmoid(v128.load(gate + i)));
    for (let i = candidates; i < width * GATES; i += VECTOR) v128.store(gate + i, tanh(v128.load(gate + i)));
    for (let i: usize = 0; i < width; i += VECTOR) {
      let cell = f32x4.mul(v128.load(gate + width * Gate.input + i), v128.load(gate + candidates + i));
      if (step > 0) {
        const kept = f32x4.mul(
          v128.load(gate + width * Gate.forget + i),
          v128.load(cells + before * width + i),
        );
        cell = f32x4.add(cell, kept);
      }
      const activation = tanh(cell);
      v128.store(cells + token * width + i, cell);
      v128.store(activations + token * width + i, activation);
      v128.store(
        hidden + token * width + i,
        f32x4.mul(v128.load(gate + width * Gate.output + i), activation),
      );
    }
  }
}

/** Backward pass: `gateGradients` from `hiddenGradients`, to which it adds what comes through the gates. */
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
  const one = f32x4.splat(1);
  memory.fill(cellGradients, 0, width);
  for (let step = length - 1; step >= 0; step--) {
    const token = (isBackward ? length - 1 - step : step) as usize;
    const before = isBackward ? token + 1 : token - 1;
    const gate = gates + token * width * GATES;
    const gradient = gradients + token * width * GATES;
    for (let i: usize = 0; i < width; i += VECTOR) {
      const input = v128.load(gate + width * Gate.input + i);
      const forget = v128.load(gate + width * Gate.forget + i);
      const output = v128.load(gate + width * Gate.output + i);
      const candidate = v128.load(gate + width * Gate.candidate + i);
      const activation = v128.load(activations + token * width + i);
      const ofHidden = v128.load(hiddenGradients + token * width + i);
      const ofActivation = f32x4.sub(one, f32x4.mul(activation, activation));
      const throughTanh = f32x4.mul(f32x4.mul(ofHidden, output), ofActivation);
      const ofCell = f32x4.add(v128.load(cellGradients + i), throughTanh);
      const ofInput = f32x4.mul(f32x4.mul(ofCell, candidate), ofSigmoid(input));
      v128.store(gradient + width * Gate.input + i, ofInput);
      const ofOutput = f32x4.mul(f32x4.mul(ofHidden, activation), ofSigmoid(output));
      v128.store(gradient + width * Gate.output + i, ofOutput);
      const ofCandidate = f32x4.sub(one, f32x4.mul(candidate, candidate));
      v128.store(gradient + width * Gate.candidate + i, f32x4.mul(f32x4.mul(ofCell, input), ofCandidate));
      const last = step > 0 ? v128.load(cells + before * width + i) : f32x4.splat(0);
      const ofForget = f32x4.mul(f32x4.mul(ofCell, last), ofSigmoid(forget));
      v128.store(gradient + width * Gate.forget + i, ofForget);
      v128.store(cellGradients + i, f32x4.mul(ofCell, forget));
    }
    if (step > 0) {
      const w = field(layer, LstmFields.weights);
      productBack(hiddenGradients + before * width, gradient, w, 1, size as i32, GATES * (size as i32));
    }
  }
}

/** The derivative of the sigmoid where its value is known. */
function ofSigmoid(value: v128): v128 {
  return f32x4.mul(value, f32x4.sub(f32x4.splat(1), value));
}
