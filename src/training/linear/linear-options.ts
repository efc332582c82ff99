import { z } from 'zod';
import { OptionError } from '../../errors.ts';
import { type LearnerName, learnerNames } from '../../learn/linear/learner.ts';

const MEMBERS = 10;
const MEMBER_LEARNER: LearnerName = 'averaged-perceptron';

/** What is learnt by several learners together. */
export const BAYES_POINT = 'bayes-point';

/**
 * The options of paradigms whose parsers are vectors of weights: who learns them. A Bayes Point Machine is made
 * above the parsers, of several training runs with another learner.
 */
export function linearOptions(learners: readonly string[], standard: string) {
  return {
    learner: z
      .enum([...learners, BAYES_POINT])
      .default(standard)
      .describe('how weights are learnt; bayes-point averages members that saw the data in different orders'),
    members: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(`with bayes-point: how many members (default: ${MEMBERS})`),
    memberLearner: z
      .enum(learnerNames)
      .optional()
      .describe(`with bayes-point: how each member learns (default: ${MEMBER_LEARNER})`),
    keepMembers: z
      .boolean()
      .default(false)
      .describe('with bayes-point: keep each member as a model of its own, MODEL.member-N'),
  };
}

/** The values of those options. */
export interface LinearOptions {
  readonly learner: string;
  readonly members?: number | undefined;
  readonly memberLearner?: LearnerName | undefined;
  readonly keepMembers: boolean;
}

/** How many members a Bayes Point Machine has. */
export function memberCount({ members }: LinearOptions): number {
  return members ?? MEMBERS;
}

/** What the member of a number, from 1, is called. */
export function memberName(number: number): string {
  return `member-${number}`;
}

/** What the members are called that are kept. */
export function keptMembers(options: LinearOptions): string[] {
  if (!options.keepMembers) return [];
  return Array.from({ length: memberCount(options) }, (_, k) => memberName(k + 1));
}

/** How each of them learns. */
export function memberLearnerOf({ memberLearner }: LinearOptions): LearnerName {
  return memberLearner ?? MEMBER_LEARNER;
}

/** The options of one training: of several that are averaged, those of each; all others as they are. */
export function singleTraining<Options extends LinearOptions>(options: Options): Options {
  if (options.learner !== BAYES_POINT) return options;
  const learner = memberLearnerOf(options);
  return { ...options, learner, members: undefined, memberLearner: undefined, keepMembers: false };
}

/**
 * The learner of a single training.
 *
 * @throws OptionError for options of a Bayes Point Machine, and for that machine itself, which takes several
 */
export function singleLearner(options: LinearOptions): LearnerName {
  const { learner } = options;
  const known = learnerNames.find((name) => name === learner);
  if (known === undefined) {
    throw new OptionError((option) => `${option('learner', learner)} is not learnt in a single training`);
  }
  refuseMemberOptions(options);
  return known;
}

/** Refuses, with an `OptionError`, options of a Bayes Point Machine where something else is to be learnt. */
export function refuseMemberOptions({ learner, members, memberLearner, keepMembers }: LinearOptions): void {
  const bound = { members, memberLearner, keepMembers: keepMembers || undefined };
  const stray = Object.entries(bound).find(([, value]) => value !== undefined);
  if (stray === undefined) return;
  throw new OptionError(
    (option) => `${option(stray[0])} goes with ${option('learner', BAYES_POINT)}, not with ${learner}`,
  );
}
