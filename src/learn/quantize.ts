const LARGEST = 32767;

/**
 * Weights as whole numbers of 16 bits: all times one factor, which puts the largest at ±32767, and rounded. Which of two
 * sums is larger stays the same but for rounding, and what is looked up at random fits twice into the cache.
 * (On UD English EWT dev, steps eight times as coarse still give the same scores.)
 */
export function quantized(weights: Float32Array): Int16Array {
  let largest = 0;
  for (let i = 0; i < weights.length; i++) largest = Math.max(largest, Math.abs(weights[i]));
  const factor = largest === 0 ? 1 : LARGEST / largest;
  const rounded = new Int16Array(weights.length);
  for (let i = 0; i < weights.length; i++) rounded[i] = Math.round(weights[i] * factor);
  return rounded;
}
