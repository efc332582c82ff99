import { KBestLists, leftRankOf, rightRankOf, splitOf } from '../../../src/decode/eisner-k-best.ts';
import type { SpanScores } from './span-chart.ts';

/** A label of a span, and its log probability. */
export type ScoredLabel = { readonly label: number; readonly score: number };

/** A binary tree's spans with their labels, in preorder. */
export interface LabelledTree {
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  readonly labels: readonly number[];
  /** The sum of the scores of its spans and of their labels. */
  readonly score: number;
}

/** Id of the empty label. */
const NO_PHRASE = 0;

/**
 * The k best labelled trees over n words, binarised to the left, the best first (Huang & Chiang 2005, W05-1506, algorithm 2).
 * A right child of several words never has the empty label (binarisation to the left), so no two trees have the same phrases.
 * @param labelsOf returns the best labels of a span, best first: at least two, if there are two
 */
export function bestTrees(
  { values, rowLength }: SpanScores,
  n: number,
  k: number,
  labelsOf: (i: number, j: number) => readonly ScoredLabel[],
): LabelledTree[] {
  const size = n + 1;
  const lists = () => {
    const made = new KBestLists(k);
    made.reserve(size * size);
    return made;
  };
  /** For each span: the k best pairs of children; and these combined with its labels, for any span and for right children. */
  const parts = lists();
  const kinds = [
    { labels: lists(), both: lists(), of: [] as (readonly ScoredLabel[])[] },
    { labels: lists(), both: lists(), of: [] as (readonly ScoredLabel[])[] },
  ] as const;
  const [any, right] = kinds;
  for (let j = 1; j <= n; j++) {
    for (let i = j - 1; i >= 0; i--) {
      const span = i * size + j;
      if (i === j - 1) parts.setSingle(span);
      else parts.combine(span, i + 1, j - 1, any.both, i * size, right.both, j, size);
      const all = labelsOf(i, j);
      const ofPhrases = all.filter(({ label }) => label !== NO_PHRASE);
      any.of[span] = all.slice(0, k);
      right.of[span] = (i === j - 1 || ofPhrases.length === 0 ? all : ofPhrases).slice(0, k);
      const score = values[j * rowLength + i];
      for (const { labels, both, of } of kinds) {
        labels.setItems(
          span,
          of[span].map((label) => score + label.score),
        );
        both.combine(span, 0, 0, parts, span, labels, span, 1);
      }
    }
  }
  return Array.from({ length: any.both.counts[n] }, (_, rank) => readTree(rank));

  function readTree(rank: number): LabelledTree {
    const tree = { begins: [] as number[], ends: [] as number[], labels: [] as number[] };
    const pending = [{ i: 0, j: n, rank, kind: kinds[0] as (typeof kinds)[number] }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { i, j, kind } = next;
      const span = i * size + j;
      const both = kind.both.at(span, next.rank);
      tree.begins.push(i);
      tree.ends.push(j);
      tree.labels.push(kind.of[span][kind.labels.at(span, rightRankOf(both))].label);
      if (j === i + 1) continue;
      const inside = parts.at(span, leftRankOf(both));
      const split = splitOf(inside);
      pending.push({ i: split, j, rank: rightRankOf(inside), kind: right });
      pending.push({ i, j: split, rank: leftRankOf(inside), kind: any });
    }
    return { ...tree, score: any.both.scores[n * k + rank] };
  }
}
