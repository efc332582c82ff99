import type { Decoder, DecoderOptions } from './decoder.ts';
import { EisnerKBest } from './eisner-k-best.ts';

export interface ScoredTree {
  readonly heads: Int32Array;
  /** The sum of the scores of its arcs. */
  readonly score: number;
}

/** Finds up to k trees, the best first, over scores as in `Decoder`. */
export type KBest = (scores: Float32Array, n: number, k: number) => ScoredTree[];

/** The most trees that are found for a sentence. */
export const MOST_TREES = 100;

/** The k best trees of those that a decoder finds the best of: Eisner's by its chart, others' by partition. */
export function kBestOf(decoder: Decoder, options: DecoderOptions): KBest {
  if (decoder.name !== 'eisner') return (scores, n, k) => partitioned(decoder, scores, n, k);
  return (scores, n, k) => {
    const trees = Array.from({ length: k }, () => new Int32Array(n + 1));
    const count = new EisnerKBest(options, k).decode(scores, n, trees);
    return trees.slice(0, count).map((heads) => ({ heads, score: scoreOf(heads, scores, n) }));
  };
}

/** The best tree of those that have the arcs into the tokens before `fixed`, but none of the forbidden ones. */
interface Part extends ScoredTree {
  /** Tokens whose heads are as in the tree. */
  readonly fixed: readonly number[];
  readonly forbidden: readonly number[];
}

/**
 * The k best trees by partition (Lawler 1972): all trees other than the best have its arcs into some tokens, but not the one
 * into the next. The best tree of each of these parts is a candidate for the second place, and so on.
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
    const best = bestOf(candidates);
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

/** Takes the best candidate out; of equal ones the first. */
function bestOf(candidates: Part[]): Part {
  let best = 0;
  for (let c = 1; c < candidates.length; c++) if (candidates[c].score > candidates[best].score) best = c;
  return candidates.splice(best, 1)[0];
}

/** So much that no tree with a forbidden arc is better than any other. */
function penaltyOver(scores: Float32Array, n: number): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let h = 0; h <= n; h++) {
    for (let d = 1; d <= n; d++) {
      if (h === d) continue;
      least = Math.min(least, scores[h * (n + 1) + d]);
      most = Math.max(most, scores[h * (n + 1) + d]);
    }
  }
  return 1 + 2 * n * (most - least);
}

function scoreOf(heads: Int32Array, scores: Float32Array, n: number): number {
  let sum = 0;
  for (let d = 1; d <= n; d++) sum += scores[heads[d] * (n + 1) + d];
  return sum;
}

/** The probability of a tree whose arcs are chosen for each token by itself: a softmax over its heads. */
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
