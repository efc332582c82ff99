/**
 * Holm's correction for several comparisons (Holm 1979): adjusted p-values, in the order given. To reject
 * where the adjusted p is at most α keeps the chance of even one false rejection at α. The i-th smallest of m
 * is multiplied by m − i + 1, is at most 1, and at least the one before it.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((i, j) => pValues[i] - pValues[j]);
  const adjusted = new Array<number>(pValues.length);
  let atLeast = 0;
  order.forEach((i, smaller) => {
    atLeast = Math.max(atLeast, Math.min(1, pValues[i] * (pValues.length - smaller)));
    adjusted[i] = atLeast;
  });
  return adjusted;
}
