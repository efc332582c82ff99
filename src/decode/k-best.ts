import type { Decoder, DecoderOptions } from './decoder.ts';
import { EisnerKBest, MOST_RANKS } from './eisner-k-best.ts';
import { kBestSpanningTrees, penaltyOver, type ScoredTree, scoreOf, takeBest } from './spanning-k-best.ts';

/** Finds up to k trees, the best first, over scores as in `Decoder`. */
export type KBest = (scores: Float32Array, n: number, k: number) => ScoredTree[];

/** Makes the k-best version of a decoder; for Eisner's algorithm by its chart, as far as its ranks go. */
export function kBestOf(decoder: Decoder, options: DecoderOptions): KBest {
  return (scores, n, k) => {
    if (!decoder.isProjective) {
      const best = new Int32Array(n + 1);
      decoder.decode(scores, n, best);
      return kBestSpanningTrees(scores, best, k, options);
    }
    if (k > MOST_RANKS) return partitioned(decoder, scores, n, k);
    const trees = Array.from({ length: k }, () => new Int32Array(n + 1));
    const count = new EisnerKBest(options, k).decode(scores, n, trees);
    return trees.slice(0, count).map((heads) => ({ heads, score: scoreOf(heads, scores, n) }));
  };
}

/** A set of trees, represented by its best tree. */
interface Part extends ScoredTree {
  /** Tokens whose heads are the same in all trees of the set. */
  readonly fixed: readonly number[];
  /** Arcs (h * (n + 1) + d) that no tree of the set has. */
  readonly forbidden: readonly number[];
}

/**
 * Finds the k best trees by partition (Lawler 1972): the trees other than the best one fall into sets that share its arcs
 * into the first tokens but not the arc into the next. The second-best tree is the best one of some set, and so on.
 */
function partitioned(decoder: Decoder, scores: Float32Array, n: number, k: number): ScoredTree[] {
  const size = n + 1;
  const work = new Float32Array(size * size);
  const penalty = penaltyOver(scores, n);
  const found: Part[] = [];
  const candidates: Part[] = [];
  const solve = (like: Int32Array, fixed: readonly number[], forbidden: readonly number[]) => {
    work.set(scores.subarray(0, size * size));
    for (const d of fixed) for (let h = 0; h <= n; h++) if (h !== like[d]) work[h * size + d] -= penalty;
    for (const arc of forbidden) work[arc] = scores[arc] - penalty;
    const heads = new Int32Array(size);
    decoder.decode(work, n, heads);
    const isAllowed =
      fixed.every((d) => heads[d] === like[d]) &&
      forbidden.every((arc) => heads[arc % size] !== Math.floor(arc / size));
    if (isAllowed) candidates.push({ heads, score: scoreOf(heads, scores, n), fixed, forbidden });
  };
  solve(new Int32Array(size), [], []);
  while (found.length < k && candidates.length > 0) {
    const best = takeBest(candidates);
    found.push(best);
    if (found.length === k) break;
    const fixed = [...best.fixed];
    for (let d = 1; d <= n; d++) {
      if (best.fixed.includes(d)) continue;
      solve(best.heads, [...fixed], [...best.forbidden, best.heads[d] * size + d]);
      fixed.push(d);
    }
  }
  return found;
}

/** The probability of a tree if each token's head is chosen independently, by a softmax over its possible heads. */
export function treeProbability(heads: Int32Array, scores: Float32Array, n: number, scale: number): number {
  const size = n + 1;
  let probability = 1;
  for (let d = 1; d <= n; d++) {
    let sum = 0;
    for (let h = 0; h <= n; h++)
      if (h !== d) sum += Math.exp(scale * (scores[h * size + d] - scores[heads[d] * size + d]));
    probability /= sum;
  }
  return probability;
}
