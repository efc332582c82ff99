import { createChuLiuEdmonds } from '../../../src/decode/chu-liu-edmonds.ts';
import type { Decoder, DecoderOptions } from '../../../src/decode/decoder.ts';
import { createEisner } from '../../../src/decode/eisner.ts';
import type { Poll } from '../poll.ts';
import type { Method } from './method.ts';

/** Re-parsing by Chu–Liu–Edmonds: the tree with most votes. */
export const createReparseCle = () => reparse(createChuLiuEdmonds);

/** Re-parsing by Eisner's algorithm: the projective tree with most votes. */
export const createReparseEisner = () => reparse(createEisner);

/**
 * What a candidate loses for each that comes before it, so that the earlier of equal ones wins: with at most
 * 2 · `ALL_VOTES` = 2³⁰ votes, the least that a `Float32` can always tell apart.
 */
const NEXT = 2 ** 6;

/** An arc that nobody votes for: one such costs as much as a unanimous vote gains. */
const NO_VOTE = -(2 ** 30);

/**
 * Re-parsing (Sagae & Lavie 2006, N06-2033): the best tree over the graph whose arcs weigh their votes. Of
 * equal candidates for a token the earlier in the poll wins.
 */
function reparse(createDecoder: (options: DecoderOptions) => Decoder): Method {
  const decoders = [false, true].map((singleRoot) => createDecoder({ singleRoot }));
  let scores = new Float32Array(0);
  return {
    counting: 'both',
    solve(poll, singleRoot, heads) {
      const cells = (poll.n + 1) ** 2;
      // No more than is needed: of 5,000 tokens it is 100 megabytes.
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
