/** 100 · part / whole, unrounded; NaN (`null` in JSON, “–” in tables) for 0 / 0. */
export const percent = (part: number, whole: number): number => (100 * part) / whole;
/** In percent. */
export type PrecisionRecall = Readonly<Record<'precision' | 'recall' | 'f1', number>>;

/**
 * Computes precision, recall and F1 (their harmonic mean) in percent. F1 is 0 if no item is right. It is NaN if neither
 * side has items, or if one has right items and the other none at all.
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
  const noneIsRight = gold + predicted > 0 && correctGold + correctPredicted === 0;
  return { precision, recall, f1: noneIsRight ? 0 : (2 * precision * recall) / (precision + recall) };
}
