/** Words of a sentence, from `first` up to `end`, that an encoder reads together. */
export interface Window {
  readonly first: number;
  readonly end: number;
}

/**
 * Covers a sentence by windows of at most `most` subwords, each of which begins in the middle of the one before.
 *
 * @param starts for each word, the number of subwords before it; then that of all; no word has more than `most`
 */
export function windowsOver(starts: ArrayLike<number>, most: number): Window[] {
  const words = starts.length - 1;
  const windows: Window[] = [];
  for (let first = 0; ; ) {
    let [middle, end] = [first + 1, first + 1];
    while (end < words && starts[end + 1] - starts[first] <= most) end++;
    windows.push({ first, end });
    if (end >= words) return windows;
    while (middle < end && starts[middle] - starts[first] < most / 2) middle++;
    first = middle;
  }
}

/** For each word, the window that has most context of it: whose nearer edge, unless it is an end of the sentence, is farthest. */
export function widestContexts(starts: ArrayLike<number>, windows: readonly Window[]): Int32Array {
  const words = starts.length - 1;
  const chosen = new Int32Array(words);
  const widest = new Float64Array(words).fill(-1);
  for (const [number, { first, end }] of windows.entries())
    for (let w = first; w < end; w++) {
      const before = first === 0 ? Infinity : starts[w] - starts[first];
      const after = end === words ? Infinity : starts[end] - starts[w + 1];
      const context = Math.min(before, after);
      if (context <= widest[w]) continue;
      widest[w] = context;
      chosen[w] = number;
    }
  return chosen;
}
