import type { Parse } from '../../../parsers/parser.ts';
import type { VoteParseExplanation } from '../../../src/explain/explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../../src/explain/request.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { Vote } from '../vote.ts';
import { explainPoll } from './explain-poll.ts';

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
