/** 100 · part / whole, unrounded; NaN (`null` in JSON, “–” in tables) for 0 / 0. */
export function percent(part: number, whole: number): number {
  return (100 * part) / whole;
}

export type PrecisionRecall = Readonly<Record<'precision' | 'recall' | 'f1', number>>;

/**
 * Precision, recall and F1 in percent. `correctGold` counts the gold items found, `correctPredicted` the
 * right predicted items; they differ if items change buckets. If one side has no items, F1 is the share of
 * correct items on the other; NaN if both have none.
 */
export function precisionRecall(
  correctGold: number,
  gold: number,
  correctPredicted: number,
  predicted: number,
): PrecisionRecall {
  const precision = percent(correctPredicted, predicted);
  const recall = percent(correctGold, gold);
  if (gold === 0 || predicted === 0) {
    return { precision, recall, f1: percent(correctGold + correctPredicted, gold + predicted) };
  }
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1 };
}
