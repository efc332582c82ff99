import type { VoteParseExplanation } from '../../../src/explain/explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../../src/explain/request.ts';
import { findCycles } from '../../../src/treebank/tree.ts';
import type { Ballot } from '../ballots.ts';
import { Poll } from '../poll.ts';
import type { Decision, Vote } from '../vote.ts';

/** Explains the vote on a sentence. Throws `UsageError` for requests that do not apply to votes. */
export function explainVotedParse(
  vote: Vote,
  ballot: Ballot,
  names: readonly string[],
  notices: readonly string[],
  request: ExplainRequest,
): VoteParseExplanation {
  const { sentence } = ballot;
  checkRequest(request, sentence);
  const poll = new Poll();
  const decision = vote.decide(ballot, poll);
  return {
    paradigm: 'vote',
    ...explainedSentenceOf(sentence, { ...decision.tree, notices }, request),
    method: vote.name,
    weighting: vote.weighting.name,
    members: names.map((paradigm, m) => ({ paradigm, weight: weightOf(vote, m) })),
    ballots: ballotsOf(poll, names.length, decision),
    cycles: findCycles(decision.winners),
  };
}

/** The weight of a member's votes; null if weights do not go by members alone. */
function weightOf({ weighting: { data } }: Vote, member: number): number | null {
  return data.kind === 'members' ? data.weights.overall[member] : null;
}

function ballotsOf(poll: Poll, members: number, { tree: { heads, labels }, winners }: Decision) {
  return Array.from({ length: poll.n }, (_, i) => {
    const d = i + 1;
    const candidates = candidatesOf(poll, members, d);
    const own = candidates.find(({ head }) => head === heads[d]);
    const isOverruled = winners[d] !== -1 && winners[d] !== heads[d];
    const arc = { dependent: d, head: heads[d], label: labels[d] };
    return { ...arc, candidates, confidence: own?.votes ?? 0, isOverruled };
  });
}

function candidatesOf(poll: Poll, members: number, d: number) {
  const arcs = range(poll.firstArc[d], poll.firstArc[d + 1]);
  const candidates = range(poll.firstCandidate[d], poll.firstCandidate[d + 1]);
  const allArcs = arcs.reduce((sum, arc) => sum + poll.arcVotes[arc], 0);
  const all = candidates.reduce((sum, c) => sum + poll.votes[c], 0);
  return candidates.map((c) => ({
    head: poll.heads[c],
    votes: share(poll.votes[c], all),
    arcs: arcs
      .filter((arc) => poll.arcHeads[arc] === poll.heads[c])
      .map((arc) => ({
        label: poll.arcLabels[arc],
        votes: share(poll.arcVotes[arc], allArcs),
        members: range(0, members).filter((m) => poll.choices[m * (poll.n + 1) + d] === arc),
      })),
  }));
}

const share = (votes: number, all: number) => (all === 0 ? 0 : votes / all);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
