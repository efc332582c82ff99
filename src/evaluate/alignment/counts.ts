/** What is counted of split text, by the names of UD's `eval.py`. */
export const alignedMetrics = [
  ...['Tokens', 'Sentences', 'Words', 'UPOS', 'XPOS', 'UFeats', 'AllTags', 'Lemmas'],
  ...['UAS', 'LAS', 'CLAS', 'MLAS', 'BLEX'],
] as const;

export type AlignedMetric = (typeof alignedMetrics)[number];

/** How many there are on either side, how many are right, and among how many that are aligned. */
export interface AlignedNumbers {
  readonly gold: number;
  readonly predicted: number;
  readonly correct: number;
  /** 0 of what is not aligned: tokens, sentences and words. */
  readonly aligned: number;
}

/** The same, with figures in percent; NaN where a file lacks what they would be of. */
export interface AlignedCount extends AlignedNumbers {
  /** The share of the predicted that are right. */
  readonly precision: number;
  /** The share of gold that was found. */
  readonly recall: number;
  readonly f1: number;
  /** The share of the aligned that are right; NaN of what is not aligned. */
  readonly alignedAccuracy: number;
}

/** The scores of split text, by metric. Plain data, ready for JSON. */
export type TextScores = Readonly<Record<AlignedMetric, AlignedCount>>;

/** @param isDefined whether both files have what the figures are of */
export function alignedCount(numbers: AlignedNumbers, isDefined: boolean): AlignedCount {
  const { gold, predicted, correct, aligned } = numbers;
  const share = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole);
  const figure = (value: number) => (isDefined ? value : Number.NaN);
  return {
    ...numbers,
    precision: figure(share(correct, predicted)),
    recall: figure(share(correct, gold)),
    f1: figure(share(2 * correct, gold + predicted)),
    alignedAccuracy: figure(aligned === 0 ? Number.NaN : share(correct, aligned)),
  };
}

/** Whether words or sentences are not all gold's. */
export function isSplitOtherwise({ Words, Sentences }: TextScores): boolean {
  return Words.f1 < 100 || Sentences.f1 < 100;
}
