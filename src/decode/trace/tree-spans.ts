import type { DecoderOptions } from '../decoder.ts';

/** A span of Eisner's chart (eisner-chart.ts) that a tree is made of. */
export interface TreeSpan {
  /** The end that is its head, and the other end. */
  readonly head: number;
  readonly end: number;
  readonly isComplete: boolean;
  /** The sum of its arcs. */
  readonly score: number;
}

/**
 * The spans of a projective tree (Eisner 1996, C96-1058), the shortest first: for each arc the incomplete one between
 * its ends, and the complete one that this becomes with what the dependent has beyond. With a single root the root's
 * own arc is apart: its dependent has two complete spans, to either end of the sentence.
 *
 * @param scores as decoders take them (decoder.ts), of n tokens
 */
export function spansOfTree(
  scores: Float32Array,
  n: number,
  { singleRoot }: DecoderOptions,
  heads: Int32Array,
): TreeSpan[] {
  const { dependents, lowestFirst } = childrenOf(heads, n);
  /** The scores of a token's complete spans to the left and to the right, and where these end. */
  const sums = [new Float64Array(n + 1), new Float64Array(n + 1)];
  const ends = [Int32Array.from(heads.keys()), Int32Array.from(heads.keys())];
  const spans: TreeSpan[] = [];
  for (const h of lowestFirst) {
    for (const side of [0, 1]) {
      const onSide = dependents[h].filter((d) => (side === 1 ? d > h : d < h));
      for (const d of side === 1 ? onSide : onSide.reverse()) {
        const inner = sums[side][h] + sums[1 - side][d] + scores[h * (n + 1) + d];
        ends[side][h] = ends[side][d];
        sums[side][h] = inner + sums[side][d];
        if (h === 0 && singleRoot) continue;
        spans.push({ head: h, end: d, isComplete: false, score: inner });
        spans.push({ head: h, end: ends[side][h], isComplete: true, score: sums[side][h] });
      }
    }
  }
  // Of spans of the same length the incomplete one is the part of the other.
  return spans.sort((a, b) => lengthOf(a) - lengthOf(b) || Number(a.isComplete) - Number(b.isComplete));
}

function lengthOf({ head, end }: TreeSpan): number {
  return Math.abs(head - end);
}

/** The dependents of each token, ascending, and all tokens, each after its dependents. */
function childrenOf(heads: Int32Array, n: number): { dependents: number[][]; lowestFirst: number[] } {
  const dependents: number[][] = Array.from({ length: n + 1 }, () => []);
  for (let d = 1; d <= n; d++) dependents[heads[d]].push(d);
  const order = [0];
  for (let i = 0; i < order.length; i++) order.push(...dependents[order[i]]);
  return { dependents, lowestFirst: order.reverse() };
}
