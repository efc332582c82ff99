import { createEisner } from '../../../src/decode/eisner.ts';
import type { Poll } from '../poll.ts';
import type { Method } from './method.ts';

/**
 * What a candidate loses for each that comes before it, so that the earlier of equal ones wins: with at most
 * 2 · `ALL_VOTES` = 2³⁰ votes, the least that a `Float32` can always tell apart.
 */
const NEXT = 2 ** 6;

/** An arc that nobody votes for: one such costs as much as a unanimous vote gains. */
const NO_VOTE = -(2 ** 30);

/** Time is cubic: of 3,000 tokens a quarter of a minute, of 4,000 most of one, at 300 megabytes. */
const LIMITS = { slow: 3000, most: 4000 };

/**
 * Re-parsing by Eisner's algorithm (Sagae & Lavie 2006, N06-2033): the projective tree with most votes. Of equal
 * candidates for a token the earlier in the poll wins.
 */
export function createReparseEisner(): Method {
  const decoders = [false, true].map((singleRoot) => createEisner({ singleRoot }));
  let scores = new Float32Array(0);
  return {
    counting: 'both',
    limits: LIMITS,
    solve(poll, singleRoot, heads) {
      const cells = (poll.n + 1) ** 2;
      // No more than is needed: of 4,000 tokens it is 64 megabytes.
      if (scores.length < cells) scores = new Float32Array(cells);
      fillScores(poll, scores);
      decoders[Number(singleRoot)].decode(scores, poll.n, heads);
    },
  };
}

function fillScores({ n, firstCandidate, heads, votes }: Poll, scores: Float32Array): void {
  const size = n + 1;
  scores.fill(NO_VOTE, 0, size * size);
  for (let d = 1; d <= n; d++) {
    const first = firstCandidate[d];
    for (let c = first; c < firstCandidate[d + 1]; c++) {
      scores[heads[c] * size + d] = votes[c] - NEXT * (c - first);
    }
  }
}
