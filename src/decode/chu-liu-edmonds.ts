import { Arborescence } from './arborescence.ts';
import type { Decoder, DecoderOptions } from './decoder.ts';

/**
 * The best tree over all trees, projective or not, in O(n²) (Chu & Liu 1965, Edmonds 1967, Tarjan 1977).
 * Where every token's best head already makes a tree, which is nearly always once a parser is trained,
 * nothing is copied.
 *
 * Ties: of equal heads the lowest index; of equal arcs into or out of a cycle, the one met first along the
 * cycle.
 */
export function createChuLiuEdmonds({ singleRoot }: DecoderOptions): Decoder {
  const arborescence = new Arborescence();
  let marks = new Int32Array(0);
  return {
    name: 'chu-liu-edmonds',
    isProjective: false,
    decode(scores, n, heads) {
      if (marks.length <= n) marks = new Int32Array(2 * (n + 1));
      chooseBestHeads(scores, n, heads);
      const roots = countRoots(heads, n, marks);
      if (roots === 1 || (roots > 1 && !singleRoot)) return;
      arborescence.solve(scores, n, heads, singleRoot);
    },
  };
}

/** Gives every token its best head; of equal ones the first. */
function chooseBestHeads(scores: Float32Array, n: number, heads: Int32Array): void {
  const size = n + 1;
  heads[0] = -1;
  for (let d = 1; d <= n; d++) {
    let head = 0;
    let best = scores[d];
    for (let h = 1, at = size + d; h <= n; h++, at += size) {
      const score = scores[at];
      if (score > best && h !== d) {
        best = score;
        head = h;
      }
    }
    heads[d] = head;
  }
}

/** The number of root arcs, or 0 where the heads have a cycle; `marks` is scratch space of n+1 entries. */
export function countRoots(heads: Int32Array, n: number, marks: Int32Array): number {
  let roots = 0;
  marks.fill(0, 1, n + 1);
  marks[0] = -1;
  for (let d = 1; d <= n; d++) {
    if (heads[d] === 0) roots++;
    let v = d;
    while (marks[v] === 0) {
      marks[v] = d;
      v = heads[v];
    }
    if (marks[v] === d) return 0;
  }
  return roots;
}
