/** 100 · part / whole, unrounded; NaN (`null` in JSON, “–” in tables) for 0 / 0. */
export const percent = (part: number, whole: number): number => (100 * part) / whole;
/** In percent. */
export type PrecisionRecall = Readonly<Record<'precision' | 'recall' | 'f1', number>>;

/**
 * Computes precision, recall and F1 (their harmonic mean) in percent. F1 is 0 if only one side has items, NaN if
 * neither has.
 * @param correctGold number of gold items that were found
 * @param correctPredicted number of predicted items that are right; in a bucket it may differ from `correctGold`
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
