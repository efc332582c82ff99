import type { CandidateArcs } from './candidate-arcs.ts';

/**
 * The scores of all parts that trees over candidate arcs can have: those of arcs, grand pairs, sibling pairs
 * and grand-siblings by their numbers (candidate-arcs.ts), and those of ends: that h has no dependent beyond d.
 */
export class PartScores {
  arcs = new Float64Array(0);
  grand = new Float64Array(0);
  siblings = new Float64Array(0);
  /** By arc h → d. */
  ends = new Float64Array(0);
  /** Empty where they score nothing. */
  grandSiblings = new Float64Array(0);

  /** Makes room for the parts over these arcs, all 0. */
  clear({ count, grandPairs, siblingPairs, grandSiblingCount }: CandidateArcs): void {
    this.arcs = cleared(this.arcs, count);
    this.ends = cleared(this.ends, count);
    this.grand = cleared(this.grand, grandPairs);
    this.siblings = cleared(this.siblings, siblingPairs);
    this.grandSiblings = cleared(this.grandSiblings, grandSiblingCount);
  }
}

function cleared(scores: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> {
  if (scores.length < count) return new Float64Array(2 * count);
  scores.fill(0, 0, count);
  return scores;
}
