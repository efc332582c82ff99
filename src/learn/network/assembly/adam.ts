// AssemblyScript, as matrices.ts: steps of training.

import { AdamFields, DECAY, SECOND_DECAY, VECTOR } from '../layout.ts';
import { field } from './vectors.ts';

/** Adam's ε: keeps steps finite where gradients are near zero. */
const EPSILON: f32 = 1e-8;

export function sumOfSquares(x: usize, count: i32): f32 {
  let total = f32x4.splat(0);
  const end = x + ((count as usize) << 2);
  for (let at = x; at < end; at += VECTOR) {
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

/** Adds `more` to the gradients, sets it to zero, and returns the sum of the squares of the sums. */
export function mergeGradients(gradients: usize, more: usize, count: i32): f32 {
  const bytes = (count as usize) << 2;
  for (let i: usize = 0; i < bytes; i += VECTOR) {
    v128.store(gradients + i, f32x4.add(v128.load(gradients + i), v128.load(more + i)));
    v128.store(more + i, f32x4.splat(0));
  }
  return sumOfSquares(gradients, count);
}

/**
 * A step of Adam (Kingma & Ba 2015, algorithm 1), after which the gradients are zero.
 *
 * @param state of `AdamFields`
 * @param scale factor of the gradients
 * @param rate learning rate, divided by the bias correction of the first moments
 * @param correction bias correction of the second moments
 */
export function adam(state: usize, scale: f32, rate: f32, correction: f32): void {
  const count = field(state, AdamFields.count);
  change(state, 0, field(state, AdamFields.gradients), count, scale, rate, correction);
}

/**
 * The same step for some rows of a table, with their gradients one after the other: the other rows stay as they are,
 * moments included ("lazy" Adam), so that a large table costs no more than the rows that a batch reads.
 *
 * @param state of `AdamFields`: `count` is the length of a row
 * @param rows numbers of the rows, 32 bits each
 */
export function adamRows(
  state: usize,
  rows: usize,
  count: i32,
  scale: f32,
  rate: f32,
  correction: f32,
): void {
  const length = field(state, AdamFields.count);
  let gradients = field(state, AdamFields.gradients);
  for (let r: usize = 0; r < (count as usize); r++) {
    const first = (load<i32>(rows + (r << 2)) as usize) * length;
    change(state, first, gradients, length, scale, rate, correction);
    gradients += length << 2;
  }
}

/** Updates `count` weights, from index `first` on. */
function change(
  state: usize,
  first: usize,
  gradients: usize,
  count: usize,
  scale: f32,
  rate: f32,
  correction: f32,
): void {
  const weights = field(state, AdamFields.weights) + (first << 2);
  const means = field(state, AdamFields.firstMoments) + (first << 2);
  const squares = field(state, AdamFields.secondMoments) + (first << 2);
  const bytes = count << 2;
  const decay = DECAY as f32;
  const secondDecay = SECOND_DECAY as f32;
  const zero = f32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += VECTOR) {
    const gradient = f32x4.mul(v128.load(gradients + i), f32x4.splat(scale));
    const mean = f32x4.add(
      f32x4.mul(f32x4.splat(decay), v128.load(means + i)),
      f32x4.mul(f32x4.splat(1 - decay), gradient),
    );
    const square = f32x4.add(
      f32x4.mul(f32x4.splat(secondDecay), v128.load(squares + i)),
      f32x4.mul(f32x4.splat(1 - secondDecay), f32x4.mul(gradient, gradient)),
    );
    const size = f32x4.add(f32x4.sqrt(f32x4.div(square, f32x4.splat(correction))), f32x4.splat(EPSILON));
    const step = f32x4.div(f32x4.mul(f32x4.splat(rate), mean), size);
    v128.store(weights + i, f32x4.sub(v128.load(weights + i), step));
    v128.store(means + i, mean);
    v128.store(squares + i, square);
    v128.store(gradients + i, zero);
  }
}
