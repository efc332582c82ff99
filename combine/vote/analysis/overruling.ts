import { findCycle, roots } from '../../../src/treebank/tree.ts';
import type { GoldBallot } from '../ballots.ts';
import type { Vote } from '../vote.ts';

/**
 * How often a token did not get the head with most votes, and whether that was for the better. The reason is
 * that all tokens' winners together are no tree (or not one with a single root, or a projective one, where
 * that is asked for). Numbers of tokens that count in scores, but for the sentences.
 */
export interface Overruling {
  readonly tokens: number;
  /** The winner was right, the head chosen is wrong. */
  readonly harmed: number;
  /** The winner was wrong, the head chosen is right. */
  readonly mended: number;
  /** Both are wrong. */
  readonly neutral: number;
  /** Sentences with such a token. */
  readonly sentences: number;
  /** Sentences whose winners have a cycle. */
  readonly cycles: number;
  /** Sentences whose winners have several roots, or none. */
  readonly notOneRoot: number;
  /** Tokens for whose head, or its label, several answers had most votes: no vote decided. */
  readonly ties: number;
}

export function overruling(ballots: readonly GoldBallot[], vote: Vote): Overruling {
  const counts = new OverrulingCounts();
  for (const ballot of ballots) counts.add(ballot, vote, vote.decide(ballot).heads);
  return { ...counts };
}

/** The same, ballot by ballot. */
export class OverrulingCounts implements Overruling {
  tokens = 0;
  harmed = 0;
  mended = 0;
  neutral = 0;
  sentences = 0;
  cycles = 0;
  notOneRoot = 0;
  ties = 0;

  /** `heads` are what the vote has decided on the ballot, the last one that it decided on. */
  add({ gold, scored }: GoldBallot, vote: Vote, heads: Int32Array): void {
    const winners = winnersOf(vote, gold.length);
    const before = this.tokens;
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      if (vote.poll.isTied(d, heads[d])) this.ties++;
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

/** The head with most votes of every token, where any member gives one. */
function winnersOf({ poll }: Vote, n: number): Int32Array {
  return Int32Array.from({ length: n + 1 }, (_, d) => {
    const winner = d === 0 ? -1 : poll.winner(d);
    return winner < 0 ? -1 : poll.heads[winner];
  });
}
