import { CandidateArcs, NO_ARC, PartScores } from '../../src/decode/higher-order/candidate-arcs.ts';
import type { Random } from '../../src/learn/random.ts';

/** Candidate arcs of n tokens: all arcs of a tree, and every other arc with a chance of `share` in 10. */
export function candidatesOf(n: number, share: number, tree: Int32Array, random: Random): CandidateArcs {
  const arcs = new CandidateArcs();
  arcs.start(n);
  for (let d = 1; d <= n; d++) {
    for (let h = 0; h <= n; h++) {
      if (h !== d && (random.below(10) < share || h === tree[d])) arcs.add(h, d);
    }
  }
  arcs.finish();
  return arcs;
}

/** Scores of all parts: small whole numbers, so that sums are exact and ties occur. */
export function randomScores(arcs: CandidateArcs, random: Random, third: boolean): PartScores {
  const scores = new PartScores();
  scores.clear(arcs);
  const parts = [scores.arcs, scores.grand, scores.siblings, scores.ends];
  for (const part of [...parts, ...(third ? [scores.grandSiblings] : [])]) {
    for (let i = 0; i < part.length; i++) part[i] = random.below(41) - 20;
  }
  return scores;
}

/** The score of a tree by the definition; −∞ if one of its arcs is not a candidate. */
export function literalScore(arcs: CandidateArcs, scores: PartScores, heads: Int32Array, n: number): number {
  const arcOf = (d: number) => (d === 0 ? 0 : arcs.arc(heads[d]!, d));
  let sum = 0;
  for (let h = 0; h <= n; h++) {
    const dependents = Array.from({ length: n }, (_, i) => i + 1).filter((d) => heads[d] === h);
    for (const side of [dependents.filter((d) => d < h).reverse(), dependents.filter((d) => d > h)]) {
      let inner = NO_ARC;
      for (const d of side) {
        const arc = arcOf(d);
        if (arc === NO_ARC || arcOf(h) === NO_ARC) return -Infinity;
        const pair = arcs.siblingPair(inner, arc);
        sum += scores.arcs[arc]! + scores.siblings[pair]!;
        sum += scores.grand[arcs.grand[arcOf(h)]! + arcs.rank[arc]!]!;
        sum += scores.grandSiblings[arcs.grandSiblings[arcOf(h)]! + pair - arcs.pairsOf[h]!]!;
        inner = arc;
      }
      if (inner !== NO_ARC) sum += scores.ends[inner]!;
    }
  }
  return sum;
}
