import { detached } from '../../encoding/vocabulary.ts';
import type { DependencyTree, Sentence } from '../../treebank/sentence.ts';
import { nonProjectiveArcs } from '../../treebank/tree.ts';
import { type ComparedTree, isThere, type OwnWord, type SplitSentence } from '../alignment/counterpart.ts';
import { type PrecisionRecall, precisionRecall } from '../percent.ts';
import { depths } from './depths.ts';
import { tagOf } from './tag.ts';

export const breakdownNames = [
  'label',
  'tag',
  'head-tag',
  'children',
  'distance',
  'length',
  'depth',
  'projective',
] as const;
export type BreakdownName = (typeof breakdownNames)[number];

/** How well the arcs of one bucket are found; precision or recall is NaN where the bucket is empty on its side. */
export interface BucketScores {
  readonly bucket: string;
  /** Scored tokens whose gold arc is in the bucket. */
  readonly gold: number;
  /** Scored tokens whose predicted arc is in the bucket. */
  readonly predicted: number;
  /** Right head. */
  readonly unlabelled: PrecisionRecall;
  /** Right head and label. */
  readonly labelled: PrecisionRecall;
}

/** Tells the bucket of the arc of each word. */
type Buckets = (d: number) => string;

/** Tells the buckets of the arcs of one tree, by their dependents; tags are gold's, whosever the tree is. */
type Bucketing = (tree: DependencyTree, tagOf: (d: number) => string) => Buckets;

const bucketings: Record<BreakdownName, Bucketing> = {
  label:
    ({ labels }) =>
    (d) =>
      labels[d],
  tag: (_, tagOf) => tagOf,
  'head-tag':
    ({ heads }, tagOf) =>
    (d) =>
      heads[d] === 0 ? 'root' : tagOf(heads[d]),
  children: ({ heads }) => {
    const children = new Int32Array(heads.length);
    for (let d = 1; d < heads.length; d++) children[heads[d]]++;
    return (d) => String(children[d]);
  },
  distance:
    ({ heads }) =>
    (d) =>
      heads[d] === 0 ? 'root' : String(Math.abs(heads[d] - d)),
  length: ({ heads }) => {
    const bucket = lengthBucket(heads.length - 1);
    return () => bucket;
  },
  depth: ({ heads }) => {
    const depth = depths(heads, heads.length - 1);
    return (d) => (depth[d] === -1 ? 'cycle' : String(depth[d]));
  },
  projective: ({ heads }) => {
    const nonProjective = new Set(nonProjectiveArcs(heads));
    return (d) => (nonProjective.has(d) ? 'non-projective' : 'projective');
  },
};

/** Breakdowns whose buckets are numbers. */
const numeric: ReadonlySet<BreakdownName> = new Set(['children', 'distance', 'length', 'depth']);

/** Whether a breakdown's buckets are numbers, `root` and `cycle` apart. */
export function isNumeric(name: BreakdownName): boolean {
  return numeric.has(name);
}

interface Side {
  total: number;
  heads: number;
  arcs: number;
}

/**
 * Precision and recall of arcs by bucket, after McDonald & Nivre 2007 (D07-1013, section 4): recall is the
 * share of the bucket's gold arcs that were found, precision the share of the bucket's predicted arcs that
 * are right.
 * - `label`: the arc's label;
 * - `tag`: the dependent's gold tag (UPOS, or XPOS where there is none);
 * - `head-tag`: the head's gold tag, `root` for the artificial root;
 * - `children`: number of arcs from the dependent to dependents of its own;
 * - `distance`: |head − dependent|, arcs from the artificial root apart (`root`);
 * - `length`: tokens in the sentence, by tens (`1-10`);
 * - `depth`: arcs up to and including the one from the artificial root (a root has depth 1), `cycle` for a
 *   predicted token that never gets there;
 * - `projective`: whether the head dominates every token between it and the dependent (`nonProjectiveArcs`).
 *
 * Only the scored tokens' arcs count. With `tag` and `length` both sides share the bucket, so precision =
 * recall, where both have the same words; a parser's own sentences and words have buckets of their own.
 */
export class Breakdown {
  private readonly bucketing: Bucketing;
  private readonly buckets = new Map<string, { gold: Side; predicted: Side }>();
  /** Of a parser's own sentences, as long as there are any. */
  private readonly ownBuckets = new WeakMap<SplitSentence, Buckets>();

  constructor(readonly name: BreakdownName) {
    this.bucketing = bucketings[name];
  }

  /** @param extra the parser's scored words that gold does not have */
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

  /** The buckets of a parser's arcs, by gold's numbers of the words. */
  private predictedBuckets(predicted: ComparedTree, goldTag: (d: number) => string): Buckets {
    const { split } = predicted;
    if (split === undefined) return this.bucketing(predicted, goldTag);
    const words = new Map(split.words.map((word) => [word.counterpart, word]));
    return (d) => this.ownBucket(words.get(d)!);
  }

  /** The bucket of an arc in the parser's own tree. */
  private ownBucket({ of, number }: OwnWord): string {
    let buckets = this.ownBuckets.get(of);
    if (buckets === undefined) {
      buckets = this.bucketing(of.sentence, (d) => of.tags[d]);
      this.ownBuckets.set(of, buckets);
    }
    return buckets(number);
  }

  /**
   * One row a bucket: numbers ascending, with `root` first and `cycle` last; others by falling frequency.
   */
  rows(): BucketScores[] {
    return [...this.buckets]
      .sort(([a, x], [b, y]) => rank(this.name, a, x.gold) - rank(this.name, b, y.gold) || (a < b ? -1 : 1))
      .map(([bucket, { gold, predicted }]) => ({
        bucket,
        gold: gold.total,
        predicted: predicted.total,
        unlabelled: precisionRecall(gold.heads, gold.total, predicted.heads, predicted.total),
        labelled: precisionRecall(gold.arcs, gold.total, predicted.arcs, predicted.total),
      }));
  }

  private bucket(name: string): { gold: Side; predicted: Side } {
    let bucket = this.buckets.get(name);
    if (bucket === undefined) {
      bucket = { gold: { total: 0, heads: 0, arcs: 0 }, predicted: { total: 0, heads: 0, arcs: 0 } };
      this.buckets.set(detached(name), bucket);
    }
    return bucket;
  }
}

function count(side: Side, rightHead: boolean, rightArc: boolean): void {
  side.total++;
  if (rightHead) side.heads++;
  if (rightArc) side.arcs++;
}

/** `1-10`, `11-20`, … */
export function lengthBucket(n: number): string {
  const first = Math.floor((n - 1) / 10) * 10 + 1;
  return `${first}-${first + 9}`;
}

function rank(name: BreakdownName, bucket: string, gold: Side): number {
  if (!numeric.has(name)) return -gold.total;
  if (bucket === 'root') return 0;
  return bucket === 'cycle' ? Number.MAX_VALUE : Number.parseInt(bucket, 10);
}
