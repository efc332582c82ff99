// AssemblyScript, as matrices.ts: layers that read a sentence token by token.

import { productBack } from './matrices.ts';
import { fourProducts } from './products.ts';
import { sigmoid, tanh } from './squashing.ts';

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
    // Each step for all units: what waits for another number does not wait for long.
    for (let i: usize = 0; i < 3 * width; i += 16) v128.store(gate + i, sigmoid(v128.load(gate + i)));
    for (let i = 3 * width; i < 4 * width; i += 16) v128.store(gate + i, tanh(v128.load(gate + i)));
    for (let i: usize = 0; i < width; i += 16) {
      let cell = f32x4.mul(v128.load(gate + i), v128.load(gate + 3 * width + i));
      if (step > 0) {
        const kept = f32x4.mul(v128.load(gate + width + i), v128.load(cells + before * width + i));
        cell = f32x4.add(cell, kept);
      }
      const shown = tanh(cell);
      v128.store(cells + token * width + i, cell);
      v128.store(squashed + token * width + i, shown);
      v128.store(hidden + token * width + i, f32x4.mul(v128.load(gate + 2 * width + i), shown));
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
      const shown = v128.load(squashed + token * width + i);
      const ofHidden = v128.load(hiddenSlopes + token * width + i);
      const throughTanh = f32x4.mul(f32x4.mul(ofHidden, output), f32x4.sub(one, f32x4.mul(shown, shown)));
      const ofCell = f32x4.add(v128.load(cellSlopes + i), throughTanh);
      v128.store(slope + i, f32x4.mul(f32x4.mul(ofCell, candidate), ofSigmoid(input)));
      v128.store(slope + 2 * width + i, f32x4.mul(f32x4.mul(ofHidden, shown), ofSigmoid(output)));
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
