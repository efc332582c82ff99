import { lengthBucket } from '../breakdowns/buckets.ts';
import { type PrecisionRecall, precisionRecall } from '../percent.ts';
import type { Bracket } from './flat-tree.ts';
import type { SentenceScore } from './score-sentence.ts';

export const phraseBreakdownNames = ['label', 'length'] as const;
export type PhraseBreakdownName = (typeof phraseBreakdownNames)[number];

/** How well the brackets of one bucket are found; percentages are NaN where it is empty on that side. */
export interface PhraseBucketScores extends PrecisionRecall {
  readonly bucket: string;
  /** Gold and predicted brackets in the bucket. */
  readonly gold: number;
  readonly predicted: number;
}

/**
 * Precision and recall of brackets by bucket: `label`, the phrase's (of equal labels that match, each side's
 * own); `length`, words in the gold sentence, by tens (`1-10`).
 */
export class PhraseBreakdown {
  private readonly buckets = new Map<string, Record<'gold' | 'found' | 'predicted' | 'right', number>>();

  constructor(readonly name: PhraseBreakdownName) {}

  /** Adds a sentence of n words. */
  add({ gold, predicted, matched }: SentenceScore, n: number): void {
    const length = lengthBucket(n);
    const bucketOf = ({ label }: Bracket) => this.bucket(this.name === 'label' ? label : length);
    for (const bracket of gold) bucketOf(bracket).gold++;
    for (const bracket of predicted) bucketOf(bracket).predicted++;
    for (const match of matched) {
      bucketOf(match.gold).found++;
      bucketOf(match.predicted).right++;
    }
  }

  /** One row a bucket: lengths ascending, labels by falling frequency. */
  rows(): PhraseBucketScores[] {
    const rank = (bucket: string, gold: number) =>
      this.name === 'label' ? -gold : Number.parseInt(bucket, 10);
    return [...this.buckets]
      .sort(([a, x], [b, y]) => rank(a, x.gold) - rank(b, y.gold) || (a < b ? -1 : 1))
      .map(([bucket, { gold, found, predicted, right }]) => ({
        bucket,
        gold,
        predicted,
        ...precisionRecall(found, gold, right, predicted),
      }));
  }

  private bucket(name: string) {
    let bucket = this.buckets.get(name);
    if (bucket === undefined) {
      bucket = { gold: 0, found: 0, predicted: 0, right: 0 };
      this.buckets.set(name, bucket);
    }
    return bucket;
  }
}
