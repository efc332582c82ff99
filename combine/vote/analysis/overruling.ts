import { findCycle, roots } from '../../../src/treebank/tree.ts';
import type { GoldBallot } from '../ballots.ts';
import type { Decision } from '../vote.ts';

/**
 * How often a token did not get the head with most votes (the winner), and whether that helped. The reason is that the
 * winners together are no tree (or not one with a single root, or a projective one, where that is required). Numbers
 * of scored tokens, except for sentences.
 */
export interface Overruling {
  readonly tokens: number;
  /** The winner is right, the head chosen is wrong. */
  readonly harmed: number;
  /** The winner is wrong, the head chosen is right. */
  readonly mended: number;
  /** Both are wrong. */
  readonly neutral: number;
  /** Sentences with such a token. */
  readonly sentences: number;
  /** Sentences whose winners have a cycle. */
  readonly cycles: number;
  /** Sentences whose winners have several roots, or none. */
  readonly notOneRoot: number;
  /** Tied tokens (see `Decision`). */
  readonly ties: number;
}

export class OverrulingCounts implements Overruling {
  tokens = 0;
  harmed = 0;
  mended = 0;
  neutral = 0;
  sentences = 0;
  cycles = 0;
  notOneRoot = 0;
  ties = 0;

  add({ gold, scored }: GoldBallot, { tree: { heads }, winners, tied }: Decision): void {
    const before = this.tokens;
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      this.ties += tied[d];
      if (winners[d] === heads[d]) continue;
      this.tokens++;
      if (winners[d] === gold.heads[d]) this.harmed++;
      else if (heads[d] === gold.heads[d]) this.mended++;
      else this.neutral++;
    }
    if (this.tokens > before) this.sentences++;
    if (findCycle(winners).length > 0) this.cycles++;
    if (roots(winners).length !== 1) this.notOneRoot++;
  }
}
