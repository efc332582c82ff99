import { checkName } from '../../checks.ts';
import { detached } from '../../platform/platform.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { type ComparedTree, isThere, type OwnWord, type SplitSentence } from '../alignment/counterpart.ts';
import { type PrecisionRecall, precisionRecall } from '../percent.ts';
import type { BreakdownName, Bucketing, Buckets } from './buckets.ts';
import { breakdownNames, bucketings, bucketRank, isNumeric, tagOf } from './buckets.ts';

/** Precision and recall of the arcs in one bucket; NaN if the bucket is empty on that side. */
export interface BucketScores {
  readonly bucket: string;
  readonly gold: number;
  readonly predicted: number;
  readonly unlabelled: PrecisionRecall;
  readonly labelled: PrecisionRecall;
}

type Side = { total: number; heads: number; arcs: number };

/**
 * Counts arcs by bucket for precision and recall, after McDonald & Nivre 2007 (D07-1013, section 4): recall is the
 * share of the bucket's gold arcs that were found, precision the share of its predicted arcs that are right.
 * - `label`: the arc's label;
 * - `tag`: the dependent's gold tag (UPOS, or XPOS where there is none);
 * - `head-tag`: the head's gold tag, `root` for the artificial root;
 * - `children`: the dependent's number of children;
 * - `distance`: |head − dependent|, or `root`;
 * - `length`: tokens in the sentence, by tens (`1-10`);
 * - `depth`: arcs up to the artificial root (a root has depth 1), or `cycle`;
 * - `projective`: whether the head dominates every token between it and the dependent (`nonProjectiveArcs`), or `cycle`
 *   for arcs on or below one.
 * Only arcs of scored tokens count. For equal words, `tag` and `length` have precision = recall.
 */
export class Breakdown {
  private readonly bucketing: Bucketing;
  private readonly buckets = new Map<string, { gold: Side; predicted: Side }>();
  private readonly ownBuckets = new WeakMap<SplitSentence, Buckets>();

  /** @throws UsageError for an unknown name */
  constructor(readonly name: BreakdownName) {
    checkName('by', name, breakdownNames);
    this.bucketing = bucketings[name];
  }

  add(gold: Sentence, predicted: ComparedTree, scored: Uint8Array, extra: readonly OwnWord[] = []): void {
    const goldTag = (d: number) => tagOf(gold, d);
    const goldBucket = this.bucketing(gold, goldTag);
    const predictedBucket = this.predictedBuckets(predicted, goldTag);
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      const rightHead = gold.heads[d] === predicted.heads[d];
      const rightArc = rightHead && gold.labels[d] === predicted.labels[d];
      count(this.bucket(goldBucket(d)).gold, rightHead, rightArc);
      if (isThere(predicted, d)) count(this.bucket(predictedBucket(d)).predicted, rightHead, rightArc);
    }
    for (const word of extra) count(this.bucket(this.ownBucket(word)).predicted, false, false);
  }

  private predictedBuckets(predicted: ComparedTree, goldTag: (d: number) => string): Buckets {
    const { split } = predicted;
    if (split === undefined) return this.bucketing(predicted, goldTag);
    const words = new Map(split.words.map((word) => [word.counterpart, word]));
    return (d) => this.ownBucket(words.get(d)!);
  }

  private ownBucket({ of, number }: OwnWord): string {
    const { sentence, tags } = of;
    const buckets = this.ownBuckets.get(of) ?? this.bucketing(sentence, (d) => tags[d]);
    this.ownBuckets.set(of, buckets);
    return buckets(number);
  }

  /** One row per bucket: numbers ascending (`root` first, `cycle` last); others by falling frequency. */
  rows(): BucketScores[] {
    const rank = (bucket: string, { total }: Side) => (isNumeric(this.name) ? bucketRank(bucket) : -total);
    return [...this.buckets]
      .sort(([a, x], [b, y]) => rank(a, x.gold) - rank(b, y.gold) || (a < b ? -1 : 1))
      .map(([bucket, { gold, predicted }]) => ({
        bucket,
        gold: gold.total,
        predicted: predicted.total,
        unlabelled: precisionRecall(gold.heads, gold.total, predicted.heads, predicted.total),
        labelled: precisionRecall(gold.arcs, gold.total, predicted.arcs, predicted.total),
      }));
  }

  private bucket(name: string): { gold: Side; predicted: Side } {
    const known = this.buckets.get(name);
    if (known !== undefined) return known;
    const bucket = { gold: { total: 0, heads: 0, arcs: 0 }, predicted: { total: 0, heads: 0, arcs: 0 } };
    this.buckets.set(detached(name), bucket);
    return bucket;
  }
}

function count(side: Side, rightHead: boolean, rightArc: boolean): void {
  side.total++;
  if (rightHead) side.heads++;
  if (rightArc) side.arcs++;
}
