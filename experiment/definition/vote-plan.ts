import { InputError } from '../../src/errors.ts';
import type { FileJob, ParserJob, Program, Selection, Vote, VoteJob } from '../jobs/job.ts';
import { jobName, sameSentences } from '../jobs/job.ts';
import { countOf, firstOf, restOf } from '../jobs/selection.ts';

export type Voter = ParserJob | FileJob;

/** Whether a vote's weights are learned, from sentences that its members must not have been trained on. */
export const needsSetAside = ({ method, weights }: Vote): boolean =>
  method !== 'oracle' && method !== 'constituents' && weights !== 'equal';

/**
 * Returns twins of a vote's members to learn weights from: each is trained without the last `share` of the training
 * sentences, and parses these. So the members themselves are trained on all sentences, and weights are learned from trees
 * of unseen sentences.
 *
 * @throws InputError if the members' training sentences differ, or a member is another program's output
 */
export function weightLearningJobs(voters: readonly Voter[], share: number): ParserJob[] {
  const members = voters.filter((voter) => voter.kind === 'parser');
  const file = voters.find((voter) => voter.kind === 'file');
  if (file !== undefined) {
    const problem = 'another program’s output, for which no weights can be learned: expected equal weights';
    throw new InputError(problem, { file: file.trees.path });
  }
  const train = sameSelection(members, 'train', 'be trained on');
  const seen = sentencesBefore(share, countOf(train), train.path);
  return members.map(({ scoreEvery: _, ...member }) => {
    return { ...member, train: firstOf(member.train, seen), test: restOf(member.train, seen) };
  });
}

/** @throws InputError if the members parse different sentences */
export function voteJob(
  program: Program,
  vote: Vote,
  members: readonly Voter[],
  twins?: readonly ParserJob[],
): VoteJob {
  const test = sameSelection(members, 'test', 'parse');
  const setAside = twins && { test: twins[0].test, members: twins.map(jobName) };
  const job = { kind: 'vote' as const, program, test, vote, members: members.map(jobName) };
  return { ...job, ...(setAside && { setAside }) };
}

function sameSelection<Part extends 'train' | 'test'>(
  members: readonly { readonly [part in Part]: Selection }[],
  part: Part,
  does: string,
): Selection {
  const [first, ...others] = members.map((member) => member[part]);
  const different = others.find((other) => !sameSentences(other, first));
  if (different === undefined) return first;
  const problem = `a vote’s members must ${does} the same sentences, not also sentences of ${first.path}`;
  throw new InputError(problem, { file: different.path });
}

/** Number of sentences before the last `share`, which is at least one sentence. */
export function sentencesBefore(share: number, sentences: number, file: string): number {
  if (sentences < 2) throw new InputError('one sentence only, none to hold out', { file });
  return sentences - Math.max(1, Math.round(share * sentences));
}
