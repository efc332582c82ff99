import { lengthBucket } from '../breakdowns/buckets.ts';
import { type PrecisionRecall, percent, precisionRecall } from '../percent.ts';
import type { Bracket } from './flat-tree.ts';
import type { SentenceScore } from './scorers.ts';

/** PARSEVAL scores; percentages unrounded, NaN if there is nothing to score. */
export interface PhraseFigures {
  readonly sentences: number;
  /** Matched / predicted brackets. */
  readonly precision: number;
  /** Matched / gold brackets. */
  readonly recall: number;
  readonly f1: number;
  /** Sentences with exactly the gold brackets / sentences. */
  readonly exactMatch: number;
  /** Predicted brackets that cross a gold bracket, per sentence. Not a percentage. */
  readonly averageCrossing: number;
  /** Sentences without crossing brackets / sentences. */
  readonly noCrossing: number;
  /** Sentences with at most two crossing brackets / sentences. */
  readonly twoOrLessCrossing: number;
  /** Words with the right tag / words; without words that both sides tag as punctuation. */
  readonly taggingAccuracy: number;
  readonly counts: Readonly<typeof noCounts>;
}

/** `punctuation`: words that both sides tag as punctuation; not in `words` and `rightTags`. */
const noCounts = {
  gold: 0,
  predicted: 0,
  matched: 0,
  exact: 0,
  crossing: 0,
  words: 0,
  rightTags: 0,
  punctuation: 0,
};

/** PARSEVAL (Black et al. 1991) over brackets, as EVALB prints it. */
export class PhraseCounts {
  private sentences = 0;
  private noCrossing = 0;
  private twoOrLess = 0;
  private readonly counts = { ...noCounts };

  add({ gold, predicted, matched, crossing, words, rightTags, punctuation }: SentenceScore): void {
    const { counts } = this;
    this.sentences++;
    counts.gold += gold.length;
    counts.predicted += predicted.length;
    counts.matched += matched.length;
    counts.words += words;
    counts.rightTags += rightTags;
    counts.punctuation += punctuation;
    counts.crossing += crossing.length;
    if (gold.length === matched.length && predicted.length === matched.length) counts.exact++;
    if (crossing.length === 0) this.noCrossing++;
    if (crossing.length <= 2) this.twoOrLess++;
  }

  figures(): PhraseFigures {
    const { sentences, counts, noCrossing, twoOrLess } = this;
    return {
      sentences,
      ...precisionRecall(counts.matched, counts.gold, counts.matched, counts.predicted),
      exactMatch: percent(counts.exact, sentences),
      averageCrossing: counts.crossing / sentences,
      noCrossing: percent(noCrossing, sentences),
      twoOrLessCrossing: percent(twoOrLess, sentences),
      taggingAccuracy: percent(counts.rightTags, counts.words),
      counts: { ...counts },
    };
  }
}

export const phraseBreakdownNames = ['label', 'length'] as const;
export type PhraseBreakdownName = (typeof phraseBreakdownNames)[number];

export interface PhraseBucketScores extends PrecisionRecall {
  readonly bucket: string;
  readonly gold: number;
  readonly predicted: number;
}

/** Scores by bracket `label` (each side's own) or by sentence `length` in words, by tens (`1-10`). */
export class PhraseBreakdown {
  private readonly buckets = new Map<string, Record<'gold' | 'found' | 'predicted' | 'right', number>>();

  constructor(readonly name: PhraseBreakdownName) {}

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

  /** One row per bucket: lengths ascending, labels by falling frequency. */
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
