import { preorder } from '../treebank/tree.ts';
import { Arborescence } from './chu-liu-edmonds.ts';
import type { DecoderOptions } from './decoder.ts';

export interface ScoredTree {
  readonly heads: Int32Array;
  /** The sum of the scores of its arcs. */
  readonly score: number;
}

/** The trees that have all of the fixed arcs and none of the excluded ones; an arc h → d is h * (n + 1) + d. */
interface TreeSet {
  /** The best of the trees. */
  readonly heads: Int32Array;
  readonly fixed: readonly number[];
  readonly excluded: readonly number[];
}

/** The second-best tree of a set; it lacks an arc of the best one, by which the set is divided. */
interface SecondBest {
  readonly score: number;
  readonly without: TreeSet;
  readonly withArc: TreeSet;
}

/**
 * Finds the k best spanning trees, the best of them given, in O(k·n²) where contracted cycles are small (Camerini,
 * Fratta & Maffioli 1980, Networks 10(2); Zmigrod, Vieira & Cotterell 2021, "On Finding the K-best Non-projective
 * Dependency Trees"). A set of trees is divided by the arc of its best tree whose loss costs least: the second-best tree
 * is the best one without that arc.
 */
export function kBestSpanningTrees(
  scores: Float32Array,
  best: Int32Array,
  k: number,
  options: DecoderOptions,
): ScoredTree[] {
  const division = new Division(scores, best.length - 1, options.singleRoot);
  const found: ScoredTree[] = [{ heads: best, score: scoreOf(best, scores, best.length - 1) }];
  const queue: SecondBest[] = [];
  const divide = (set: TreeSet) => {
    const second = division.secondBest(set);
    if (second !== undefined) queue.push(second);
  };
  divide({ heads: best, fixed: [], excluded: [] });
  while (found.length < k && queue.length > 0) {
    const next = takeBest(queue);
    found.push({ heads: next.without.heads, score: next.score });
    if (found.length === k) break;
    divide(next.withArc);
    divide(next.without);
  }
  return found;
}

/** Divides sets of a sentence's trees. */
class Division {
  private readonly size: number;
  /** What a root arc, if only one is allowed, and an arc that a set does not have cost: more than any two trees differ. */
  private readonly penalty: number;
  private readonly work: Float64Array;
  private readonly search = new Arborescence();
  private readonly comparison = new CheapestArc();

  constructor(
    private readonly scores: Float32Array,
    private readonly n: number,
    private readonly singleRoot: boolean,
  ) {
    this.size = n + 1;
    this.work = new Float64Array(this.size * this.size);
    this.penalty = penaltyOver(scores, n);
  }

  /** Finds the second-best tree of a set, if it has another tree. */
  secondBest({ heads, fixed, excluded }: TreeSet): SecondBest | undefined {
    const { work, n, size } = this;
    this.restrict(fixed, excluded);
    // Of equal trees, the search must find this one again.
    for (let d = 1; d <= n; d++) work[heads[d] * size + d] += 2 ** -44 * this.penalty;
    const arc = this.comparison.find(work, n, heads);
    if (arc === undefined) return undefined;
    const without = { heads: new Int32Array(size), fixed, excluded: [...excluded, arc] };
    this.restrict(fixed, without.excluded);
    this.search.solve(work, n, without.heads, false);
    if (!this.isIn(without)) return undefined;
    const withArc = { heads, fixed: [...fixed, arc], excluded };
    return { score: scoreOf(without.heads, this.scores, n), without, withArc };
  }

  /** Writes scores by which the best tree of all is the best of a set. */
  private restrict(fixed: readonly number[], excluded: readonly number[]): void {
    const { work, n, size, penalty } = this;
    work.set(this.scores.subarray(0, size * size));
    if (this.singleRoot) for (let d = 1; d <= n; d++) work[d] -= penalty;
    for (const arc of fixed)
      for (let other = arc % size; other < size * size; other += size)
        if (other !== arc) work[other] -= penalty;
    for (const arc of excluded) work[arc] -= penalty;
  }

  private isIn({ heads, fixed, excluded }: TreeSet): boolean {
    const { size } = this;
    const has = (arc: number) => heads[arc % size] === Math.floor(arc / size);
    const isRooted = !this.singleRoot || heads.indexOf(0, 1) === heads.lastIndexOf(0);
    return isRooted && fixed.every(has) && !excluded.some(has);
  }
}

/** Finds the arc of a best tree whose loss costs least, at every contraction at which the tree's arc is chosen. */
class CheapestArc extends Arborescence {
  private scores!: Float64Array;
  private heads!: Int32Array;
  private enterings!: Int32Array;
  private leavings!: Int32Array;
  /** By slot: the tokens contracted into it. */
  private tokens!: number[][];
  /** By token: the sum of the scores of the arcs into the cycles that it was contracted into, and into itself. */
  private replaced!: Float64Array;
  private leastLoss = 0;
  private cheapest: number | undefined;

  /** Returns the arc h → d as h * (n + 1) + d; `heads` is the best tree. Undefined if there is no other tree. */
  find(scores: Float64Array, n: number, heads: Int32Array): number | undefined {
    this.scores = scores;
    this.heads = heads;
    ({ enter: this.enterings, leave: this.leavings } = preorder(heads));
    this.tokens = Array.from(heads, (_, d) => [d]);
    this.replaced = new Float64Array(n + 1);
    this.leastLoss = Number.POSITIVE_INFINITY;
    this.cheapest = undefined;
    this.solve(scores, n, new Int32Array(n + 1), false);
    return this.cheapest;
  }

  protected override enter(slot: number, head: number, token: number): void {
    super.enter(slot, head, token);
    if (this.heads[token] === head) this.compare(slot, head, token);
  }

  protected override contract(first: number, end: number): void {
    const joined = [];
    for (let i = first; i < end; i++) {
      const slot = this.path[i];
      for (const d of this.tokens[slot]) this.replaced[d] += this.bestScore[slot];
      joined.push(...this.tokens[slot]);
    }
    this.tokens[this.path[first]] = joined;
    super.contract(first, end);
  }

  /** Compares the chosen arc into a slot with all others that would leave a tree: those from outside the token's subtree. */
  private compare(slot: number, head: number, token: number): void {
    const { scores, heads, enterings, leavings, replaced } = this;
    const size = heads.length;
    const best = this.bestScore[slot];
    for (const d of this.tokens[slot]) {
      for (let h = 0; h < size; h++) {
        const isBelow = enterings[token] <= enterings[h] && enterings[h] < leavings[token];
        if (isBelow || (h === head && d === token)) continue;
        const loss = best - (scores[h * size + d] - replaced[d]);
        if (loss >= this.leastLoss) continue;
        this.leastLoss = loss;
        this.cheapest = head * size + token;
      }
    }
  }
}

/** Removes and returns the best candidate, the first of equal ones. */
export function takeBest<Candidate extends { readonly score: number }>(candidates: Candidate[]): Candidate {
  let best = 0;
  for (let c = 1; c < candidates.length; c++) if (candidates[c].score > candidates[best].score) best = c;
  return candidates.splice(best, 1)[0];
}

/** The sum of the scores of a tree's arcs. */
export function scoreOf(heads: Int32Array, scores: Float32Array, n: number): number {
  let sum = 0;
  for (let d = 1; d <= n; d++) sum += scores[heads[d] * (n + 1) + d];
  return sum;
}

/** More than the scores of any two trees differ by: a penalty that makes a tree with a forbidden arc worse than all others. */
export function penaltyOver(scores: Float32Array, n: number): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let h = 0; h <= n; h++) {
    for (let d = 1; d <= n; d++) {
      if (h === d) continue;
      least = Math.min(least, scores[h * (n + 1) + d]);
      most = Math.max(most, scores[h * (n + 1) + d]);
    }
  }
  return 2 * n * (most - least) || 1;
}
