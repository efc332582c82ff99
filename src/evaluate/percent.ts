/** 100 · part / whole, unrounded; NaN (`null` in JSON, “–” in tables) where there is nothing to score. */
export function percent(part: number, whole: number): number {
  return (100 * part) / whole;
}

export interface PrecisionRecall {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Precision, recall and their harmonic mean in percent. `correctGold` counts the gold items that were found
 * and `correctPredicted` the predicted items that are right; the two differ where an item changes its bucket.
 * Where they are the same, F1 is 2 · correct / (gold + predicted); where there are items on one side only, it
 * is the share of these that is correct, and NaN where there are none at all.
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
