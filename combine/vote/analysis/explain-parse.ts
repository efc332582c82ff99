import type { Parse } from '../../../parsers/parser.ts';
import type { VoteParseExplanation } from '../../../src/explain/explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../../src/explain/request.ts';
import type { DependencyTree, Sentence } from '../../../src/treebank/sentence.ts';
import { findCycles } from '../../../src/treebank/tree.ts';
import type { Poll } from '../poll.ts';
import type { Vote } from '../vote.ts';

/**
 * Who has voted for what on the sentence that a vote has decided last, and what came of it.
 *
 * @param members what each is called
 * @throws UsageError for what cannot be told of a vote
 */
export function explainVote(
  vote: Vote,
  members: readonly string[],
  sentence: Sentence,
  found: Parse,
  request: ExplainRequest,
): VoteParseExplanation {
  checkRequest(request, sentence, {});
  return {
    paradigm: 'vote',
    ...explainedSentenceOf(sentence, found, request),
    ...{ method: vote.name, weighting: vote.weighting.name },
    members: members.map((paradigm, m) => ({ paradigm, weight: weightOf(vote, m) })),
    ...explainPoll(vote.poll, members.length, vote.decided),
  };
}

/** What the votes of a member weigh, where it is members that have weights. */
function weightOf({ weighting: { data } }: Vote, member: number): number | null {
  return data.kind === 'members' ? data.weights.overall[member] : null;
}

type Ballots = VoteParseExplanation['ballots'];
type Candidate = Ballots[number]['candidates'][number];

/** What the votes on a sentence are, and what came of them. */
export function explainPoll(
  poll: Poll,
  members: number,
  { heads, labels }: DependencyTree,
): Pick<VoteParseExplanation, 'ballots' | 'cycles'> {
  const winners = Int32Array.from({ length: poll.n + 1 }, (_, d) => {
    const winner = d === 0 ? -1 : poll.winner(d);
    return winner === -1 ? -1 : poll.heads[winner];
  });
  const ballots = Array.from({ length: poll.n }, (_, i) => {
    const d = i + 1;
    const candidates = candidatesOf(poll, members, d);
    const own = candidates.find(({ head }) => head === heads[d]);
    return {
      ...{ dependent: d, head: heads[d], label: labels[d], candidates },
      confidence: own?.votes ?? 0,
      isOverruled: winners[d] !== -1 && winners[d] !== heads[d],
    };
  });
  return { ballots, cycles: findCycles(winners) };
}

/** The different heads that members give to a token, with the labels that they give it for them. */
function candidatesOf(poll: Poll, members: number, d: number): Candidate[] {
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

function share(votes: number, all: number): number {
  return all === 0 ? 0 : votes / all;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
