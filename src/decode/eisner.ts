import type { Decoder, DecoderOptions } from './decoder.ts';
import { EisnerChart } from './eisner-chart.ts';

/**
 * The best projective tree (Eisner 1996): O(n³) at worst, near O(n²) in practice. A single root is exact: the
 * chart then covers the tokens alone, and the root takes the token k whose two complete spans, 1…k and k…n,
 * and root arc score highest.
 *
 * Ties: of equal splits the one that became possible first (lowest for arcs to the right, highest for arcs to
 * the left); of equal single roots the lowest.
 */
export function createEisner({ singleRoot }: DecoderOptions): Decoder {
  const chart = new EisnerChart();
  let stack = new Int32Array(0);
  return {
    name: 'eisner',
    isProjective: true,
    decode(scores, n, heads) {
      if (stack.length < 4 * (n + 1)) stack = new Int32Array(8 * (n + 1));
      chart.fill(scores, n, singleRoot ? 1 : 0);
      heads[0] = -1;
      if (!singleRoot) {
        readSpan(chart, 0, n, heads, stack);
      } else if (n > 0) {
        const root = bestRoot(chart, scores, n);
        heads[root] = 0;
        readSpan(chart, root, 1, heads, stack);
        readSpan(chart, root, n, heads, stack);
      }
    },
  };
}

function bestRoot({ size, leftward, rightwardTo }: EisnerChart, scores: Float32Array, n: number): number {
  let root = 1;
  let best = -Infinity;
  for (let k = 1; k <= n; k++) {
    const score = leftward[k * size + 1] + rightwardTo[k] + scores[k];
    if (score > best) {
      best = score;
      root = k;
    }
  }
  return root;
}

/** Writes the heads inside a complete span; `stack` holds the spans still to be read: head, other end. */
function readSpan(chart: EisnerChart, head: number, end: number, heads: Int32Array, stack: Int32Array): void {
  const { size, splits, middles } = chart;
  stack[0] = head;
  stack[1] = end;
  let top = 2;
  while (top > 0) {
    const e = stack[--top];
    const h = stack[--top];
    if (h === e) continue;
    const d = splits[h * size + e];
    heads[d] = h;
    const i = Math.min(h, d);
    const j = Math.max(h, d);
    const middle = middles[i * size + j];
    stack[top++] = d;
    stack[top++] = e;
    stack[top++] = i;
    stack[top++] = middle - 1;
    stack[top++] = j;
    stack[top++] = middle;
  }
}
