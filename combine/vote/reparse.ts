import { countRoots } from '../../src/decode/chu-liu-edmonds.ts';
import { createEisner } from '../../src/decode/eisner.ts';
import { SparseArborescence } from '../../src/decode/sparse-arborescence.ts';
import type { Method, Poll } from './poll.ts';

/** What a candidate loses for each that comes before it, so that the earlier of equal ones wins: votes are whole. */
const NEXT = 2 ** -16;

/** An arc that nobody votes for: one such costs as much as a unanimous vote gains. */
const NO_VOTE = -(2 ** 30);

/**
 * Re-parsing by Chu–Liu–Edmonds (Sagae & Lavie 2006, N06-2033): the tree with most votes. Of equal candidates for a
 * token, the earlier in the poll wins. A token without candidates is attached to the root, or with a single root to
 * the root's dependent.
 */
export function createReparseCle(): Method {
  const arborescence = new SparseArborescence();
  let scores = new Float64Array(0);
  let marks = new Int32Array(0);
  return {
    counting: 'both',
    solve(poll, singleRoot, heads) {
      const { n, firstCandidate, votes } = poll;
      if (marks.length <= n) marks = new Int32Array(2 * (n + 1));
      const end = firstCandidate[n + 1];
      if (scores.length < end) scores = new Float64Array(2 * end);
      for (let d = 1; d <= n; d++) {
        const first = firstCandidate[d];
        for (let c = first; c < firstCandidate[d + 1]; c++) scores[c] = votes[c] - NEXT * (c - first);
      }
      if (isTreeOfWinners(poll, singleRoot, heads, marks)) return;
      const arcs = { n, firstArc: firstCandidate, heads: poll.heads, scores, unlisted: NO_VOTE };
      arborescence.solve(arcs, singleRoot, heads);
    },
  };
}

/** Writes the winners of all tokens into `heads`; returns whether they form a tree, as they nearly always do. */
function isTreeOfWinners(poll: Poll, singleRoot: boolean, heads: Int32Array, marks: Int32Array): boolean {
  heads[0] = -1;
  for (let d = 1; d <= poll.n; d++) {
    const winner = poll.winner(d);
    if (winner < 0) return false;
    heads[d] = poll.heads[winner];
  }
  const roots = countRoots(heads, poll.n, marks);
  return roots === 1 || (roots > 1 && !singleRoot);
}

/** `NEXT` for `Float32`: the least difference that it can always tell apart up to 2 · `ALL_VOTES` = 2³⁰. */
const NEXT_FLOAT = 2 ** 6;

/** Time is cubic: 3,000 tokens take 15 seconds, 4,000 most of a minute and 300 megabytes. */
const LIMITS = { slow: 3000, most: 4000 };

/** The projective tree with most votes: Eisner (Sagae & Lavie 2006, N06-2033). Ties: earlier in the poll. */
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
      scores[heads[c] * size + d] = votes[c] - NEXT_FLOAT * (c - first);
    }
  }
}
