// AssemblyScript, as matrices.ts: steps of learning.

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
