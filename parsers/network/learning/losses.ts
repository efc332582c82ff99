/**
 * The slopes of the cross entropy of one row of scores: how probable each is, as the softmax says, and one less of the right
 * one.
 *
 * @param slopes filled from `start` on, `count` numbers
 * @param without a place that cannot be right, whose slope is 0; −1: none
 * @returns whether the right one has the best score
 */
export function crossEntropy(
  scores: Float32Array,
  slopes: Float32Array,
  start: number,
  count: number,
  right: number,
  without: number,
): boolean {
  let best = -1;
  for (let i = 0; i < count; i++) {
    if (i !== without && (best === -1 || scores[start + i] > scores[start + best])) best = i;
  }
  const most = scores[start + best];
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const share = i === without ? 0 : Math.exp(scores[start + i] - most);
    slopes[start + i] = share;
    sum += share;
  }
  for (let i = 0; i < count; i++) slopes[start + i] /= sum;
  slopes[start + right] -= 1;
  return best === right;
}
