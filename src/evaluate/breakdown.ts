import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import { depths } from './depths.ts';
import { type PrecisionRecall, precisionRecall } from './percent.ts';

export const breakdownNames = ['label', 'tag', 'distance', 'length', 'depth'] as const;
export type BreakdownName = (typeof breakdownNames)[number];

/** How well the arcs of one bucket are found; percentages are NaN where the bucket is empty on that side. */
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

interface TreeWithDepths extends DependencyTree {
  readonly depths: Int32Array;
}

/**
 * The bucket of token d's arc in one tree; properties of words come from the gold sentence for both trees.
 */
type Bucketing = (tree: TreeWithDepths, gold: Sentence, d: number) => string;

const bucketings: Record<BreakdownName, Bucketing> = {
  label: (tree, _gold, d) => tree.labels[d]!,
  tag: (_tree, gold, d) => (gold.upos[d] === '_' ? gold.xpos[d]! : gold.upos[d]!),
  distance: (tree, _gold, d) => (tree.heads[d] === 0 ? 'root' : String(Math.abs(tree.heads[d]! - d))),
  length: (_tree, gold) => lengthBucket(gold.length),
  depth: (tree, _gold, d) => (tree.depths[d] === -1 ? 'cycle' : String(tree.depths[d])),
};

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
 * - `distance`: |head − dependent|, arcs from the artificial root apart (`root`);
 * - `length`: tokens in the sentence, by tens (`1-10`);
 * - `depth`: arcs up to and including the one from the artificial root (a root has depth 1), `cycle` for a
 *   predicted token that never gets there.
 *
 * Only the scored tokens' arcs count. With `tag` and `length` both sides share the bucket, so precision =
 * recall.
 */
export class Breakdown {
  private readonly bucketing: Bucketing;
  private readonly buckets = new Map<string, { gold: Side; predicted: Side }>();

  constructor(readonly name: BreakdownName) {
    this.bucketing = bucketings[name];
  }

  add(gold: Sentence, predicted: DependencyTree, scored: Uint8Array): void {
    const n = gold.length;
    const goldTree = withDepths(gold, n);
    const predictedTree = withDepths(predicted, n);
    for (let d = 1; d <= n; d++) {
      if (scored[d] === 0) continue;
      const rightHead = gold.heads[d] === predicted.heads[d];
      const rightArc = rightHead && gold.labels[d] === predicted.labels[d];
      count(this.bucket(this.bucketing(goldTree, gold, d)).gold, rightHead, rightArc);
      count(this.bucket(this.bucketing(predictedTree, gold, d)).predicted, rightHead, rightArc);
    }
  }

  /**
   * One row a bucket: numbers ascending, with `root` first and `cycle` last; labels and tags by falling
   * frequency.
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
      this.buckets.set(name, bucket);
    }
    return bucket;
  }
}

function withDepths({ heads, labels }: DependencyTree, n: number): TreeWithDepths {
  return { heads, labels, depths: depths(heads, n) };
}

function count(side: Side, rightHead: boolean, rightArc: boolean): void {
  side.total++;
  if (rightHead) side.heads++;
  if (rightArc) side.arcs++;
}

/** `1-10`, `11-20`, … */
function lengthBucket(n: number): string {
  const first = Math.floor((n - 1) / 10) * 10 + 1;
  return `${first}-${first + 9}`;
}

function rank(name: BreakdownName, bucket: string, gold: Side): number {
  if (name === 'label' || name === 'tag') return -gold.total;
  if (bucket === 'root') return 0;
  return bucket === 'cycle' ? Number.MAX_VALUE : Number.parseInt(bucket, 10);
}
