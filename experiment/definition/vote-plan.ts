import { InputError } from '../../src/errors.ts';
import {
  type FileJob,
  jobName,
  type ParserJob,
  type Program,
  type Selection,
  sameSentences,
  type Vote,
  type VoteJob,
} from '../cells/job.ts';
import { countOf, firstOf, restOf } from '../cells/selection.ts';

/** Whose trees are voted on. */
export type Voter = ParserJob | FileJob;

/** Whether the weights of a vote have to be learnt from sentences that its members have not seen. */
export function needsSetAside({ method, weights }: Vote): boolean {
  return method !== 'oracle' && weights !== 'equal';
}

/**
 * The twins of a vote's members, from which its weights are learnt: they learn from the sentences before the
 * last `share` of what the members learn from, and parse these. So the members themselves learn from all
 * that there is, and no weight is learnt from sentences that a parser has been trained on.
 *
 * @throws InputError where the members do not learn from the same sentences, or some are but files
 */
export function setAsideTwins(voters: readonly Voter[], share: number): ParserJob[] {
  const members = voters.filter((voter) => voter.kind === 'parser');
  const file = voters.find((voter) => voter.kind === 'file');
  if (file !== undefined) {
    throw new InputError('a file alone, from which no weights can be learnt: expected equal weights', {
      file: file.trees.path,
    });
  }
  const train = sameSelection(members, 'train', 'learn from');
  const seen = sentencesBefore(share, countOf(train), train.path);
  return members.map(({ scoreEvery: _, ...member }) => ({
    ...member,
    train: firstOf(member.train, seen),
    test: restOf(member.train, seen),
  }));
}

/** @throws InputError where the members do not parse the same sentences */
export function voteJob(
  program: Program,
  vote: Vote,
  members: readonly Voter[],
  twins?: readonly ParserJob[],
): VoteJob {
  const test = sameSelection(members, 'test', 'parse');
  return {
    kind: 'vote',
    program,
    test,
    vote,
    members: members.map(jobName),
    ...(twins && { setAside: { test: twins[0].test, members: twins.map(jobName) } }),
  };
}

function sameSelection<Part extends 'train' | 'test'>(
  members: readonly { readonly [part in Part]: Selection }[],
  part: Part,
  does: string,
): Selection {
  const [first, ...others] = members.map((member) => member[part]);
  const different = others.find((other) => !sameSentences(other, first));
  if (different === undefined) return first;
  throw new InputError(`a vote’s members must ${does} the same sentences, not also those of ${first.path}`, {
    file: different.path,
  });
}

/** How many of a file’s sentences come before the last `share`, which is at least one. */
export function sentencesBefore(share: number, sentences: number, file: string): number {
  if (sentences < 2) throw new InputError('one sentence only, none to hold out', { file });
  return sentences - Math.max(1, Math.round(share * sentences));
}
