import type { DecoderOptions } from '../decoder.ts';
import { type CandidateArcs, NO_ARC, type PartScores } from './candidate-arcs.ts';

const SMALLEST = 1e-9;

/**
 * Hill climbing: changes the head with the largest gain until no change helps (McDonald & Pereira 2006,
 * E06-1011, §2.2). From the best projective tree it mostly reaches the best non-projective one. Ties: the first
 * token, then its first head.
 */
export class ReAttachment {
  /** By token (and root): the total score of the parts with arcs out of it. */
  private scores = new Float64Array(0);

  constructor(private readonly options: DecoderOptions) {}

  private start(arcs: CandidateArcs, scores: PartScores, heads: Int32Array): void {
    const n = arcs.length;
    if (this.scores.length <= n) this.scores = new Float64Array(2 * (n + 1));
    for (let h = 0; h <= n; h++) this.scores[h] = scoreBelow(arcs, scores, heads, h);
  }

  /** Improves a tree over the candidate arcs in place. */
  improve(arcs: CandidateArcs, scores: PartScores, heads: Int32Array): void {
    this.start(arcs, scores, heads);
    for (;;) {
      const arc = this.bestMove(arcs, scores, heads);
      if (arc === NO_ARC) return;
      const d = arcs.dependents[arc];
      const before = heads[d];
      heads[d] = arcs.heads[arc];
      for (const h of [before, heads[d], d]) this.scores[h] = scoreBelow(arcs, scores, heads, h);
    }
  }

  /**
   * Averages, in log odds, arc confidences with the probability of each token's head given all other heads, under
   * P(tree) ∝ exp(scale · score): the former consider trees that differ in many arcs, the latter larger parts.
   */
  mix(arcs: CandidateArcs, scores: PartScores, scale: number, heads: Int32Array, confidences: Float64Array) {
    const rivals = new Float64Array(arcs.length + 1);
    this.start(arcs, scores, heads);
    for (let arc = 1; arc < arcs.count; arc++) {
      if (!this.isPossible(arcs, arc, heads)) continue;
      rivals[arcs.dependents[arc]] += Math.exp(scale * this.gain(arcs, scores, heads, arc));
    }
    for (let d = 1; d <= arcs.length; d++) {
      // No other head is possible given all other heads, as for the only root: that says nothing about this one.
      if (rivals[d] === 0) continue;
      const against = Math.sqrt((1 / Math.max(confidences[d], SMALLEST) - 1) * rivals[d]);
      confidences[d] = 1 / (1 + against);
    }
  }

  private bestMove(arcs: CandidateArcs, scores: PartScores, heads: Int32Array): number {
    let best = NO_ARC;
    let highest = 0;
    for (let arc = 1; arc < arcs.count; arc++) {
      if (!this.isPossible(arcs, arc, heads)) continue;
      const gain = this.gain(arcs, scores, heads, arc);
      if (gain > highest) {
        highest = gain;
        best = arc;
      }
    }
    return best;
  }

  /** Whether replacing d's head by the arc's gives another valid tree. */
  private isPossible(arcs: CandidateArcs, arc: number, heads: Int32Array): boolean {
    const h = arcs.heads[arc];
    const d = arcs.dependents[arc];
    if (heads[d] === h || (this.options.singleRoot && (h === 0 || heads[d] === 0))) return false;
    let v = h;
    while (v > 0 && v !== d) v = heads[v];
    return v !== d;
  }

  private gain(arcs: CandidateArcs, scores: PartScores, heads: Int32Array, arc: number): number {
    const d = arcs.dependents[arc];
    const after = arcs.heads[arc];
    const before = heads[d];
    heads[d] = after;
    const gain =
      scoreBelow(arcs, scores, heads, before) +
      scoreBelow(arcs, scores, heads, after) +
      scoreBelow(arcs, scores, heads, d);
    heads[d] = before;
    return gain - this.scores[before] - this.scores[after] - this.scores[d];
  }
}

/** The score of all parts whose head is h. */
function scoreBelow(arcs: CandidateArcs, scores: PartScores, heads: Int32Array, h: number): number {
  const above = h === 0 ? 0 : arcs.arc(heads[h], h);
  return scoreOfSide(arcs, scores, heads, above, -1) + scoreOfSide(arcs, scores, heads, above, 1);
}

function scoreOfSide(
  arcs: CandidateArcs,
  scores: PartScores,
  heads: Int32Array,
  above: number,
  step: 1 | -1,
): number {
  const { dependents, outOf, from, rank, grand, grandSiblings, pairsOf } = arcs;
  const h = dependents[above];
  const end = step > 0 ? from[h + 1] : from[h] - 1;
  let inner = NO_ARC;
  let sum = 0;
  for (let k = arcs.nearest(h, step); k !== end; k += step) {
    const arc = outOf[k];
    if (heads[dependents[arc]] !== h) continue;
    const pair = arcs.siblingPair(inner, arc);
    sum += scores.arcs[arc] + scores.siblings[pair] + scores.grand[grand[above] + rank[arc]];
    sum += scores.grandSiblings[grandSiblings[above] + pair - pairsOf[h]];
    inner = arc;
  }
  return inner === NO_ARC ? 0 : sum + scores.ends[inner];
}
