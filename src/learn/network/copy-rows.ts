/** Copies rows of one length into rows of another, or out of them, from the places given on: as much as fits both. */
export function copyRows(
  from: Float32Array,
  fromStart: number,
  fromWidth: number,
  to: Float32Array,
  toStart: number,
  toWidth: number,
  rows: number,
): void {
  const count = Math.min(fromWidth, toWidth);
  for (let row = 0; row < rows; row++) {
    const source = row * fromWidth + fromStart;
    const target = row * toWidth + toStart;
    for (let i = 0; i < count; i++) to[target + i] = from[source + i];
  }
}
