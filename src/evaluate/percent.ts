/** 100 · part / whole, unrounded; NaN (`null` in JSON, “–” in tables) for 0 / 0. */
export const percent = (part: number, whole: number): number => (100 * part) / whole;
export type PrecisionRecall = Readonly<Record<'precision' | 'recall' | 'f1', number>>;

/**
 * Precision, recall and F1 in percent. `correctGold` counts the gold items found, `correctPredicted` the
 * right predicted items; they differ if items change buckets. F1 is the harmonic mean; it is 0 if precision or
 * recall is 0 or undefined, since one side has no items, and NaN if both sides have none.
 */
export function precisionRecall(
  correctGold: number,
  gold: number,
  correctPredicted: number,
  predicted: number,
): PrecisionRecall {
  const precision = percent(correctPredicted, predicted);
  const recall = percent(correctGold, gold);
  if (gold === 0 && predicted === 0) return { precision, recall, f1: Number.NaN };
  const f1 = precision > 0 && recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
  return { precision, recall, f1 };
}
