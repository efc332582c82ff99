import { z } from 'zod';
import type { LinearParadigm, Paradigm } from '../../parsers/parser.ts';
import { UsageError } from '../../src/errors.ts';
import { DEFAULT_LEARNER, type LearnerName, learners } from '../../src/learn/linear/learner.ts';
import { trainBayesPoint } from './trainer.ts';

const MEMBERS = 10;
const MEMBER_LEARNER: LearnerName = 'averaged-perceptron';
const memberLearners = Object.keys(learners) as [LearnerName, ...LearnerName[]];

/** What a Bayes Point Machine adds to the options of a linear paradigm. */
export const bayesPointOptions = {
  learner: z
    .enum([...memberLearners, 'bayes-point'])
    .default(DEFAULT_LEARNER)
    .describe('how weights are learnt; bayes-point averages members that saw the data in different orders'),
  members: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(`with bayes-point: how many members (default: ${MEMBERS})`),
  memberLearner: z
    .enum(memberLearners)
    .optional()
    .describe(`with bayes-point: how each member learns (default: ${MEMBER_LEARNER})`),
  keepMembers: z
    .boolean()
    .default(false)
    .describe('with bayes-point: keep each member as a model of its own, MODEL.member-N'),
};

type BayesPointFields = z.infer<z.ZodObject<typeof bayesPointOptions>>;

/**
 * A linear paradigm that can also learn a Bayes Point Machine: members are trained on differently shuffled
 * data, and their weights averaged (Corston-Oliver, Aue, Duh & Ringger 2006). `options` are its own with
 * `bayesPointOptions`.
 */
export function withBayesPoint<Options extends { readonly learner: LearnerName }>(
  paradigm: LinearParadigm<Options>,
  options: z.ZodType<Omit<Options, 'learner'> & BayesPointFields>,
): Paradigm {
  return {
    name: paradigm.name,
    summary: paradigm.summary,
    options,
    keepsState: () => true,
    load: paradigm.load,
    async train(treebank, given, run) {
      const { learner, members, memberLearner, keepMembers, ...rest } = given as z.infer<typeof options>;
      if (learner === 'bayes-point') {
        const member = { ...rest, learner: memberLearner ?? MEMBER_LEARNER } as unknown as Options;
        const ensemble = { members: members ?? MEMBERS, keepMembers };
        return trainBayesPoint(paradigm, treebank, member, ensemble, run);
      }
      refuseStray(learner, { members, 'member-learner': memberLearner, 'keep-members': keepMembers });
      return paradigm.train(treebank, { ...rest, learner } as unknown as Options, run);
    },
  };
}

function refuseStray(learner: string, options: Readonly<Record<string, unknown>>): void {
  const stray = Object.keys(options).find((name) => options[name]);
  if (stray !== undefined)
    throw new UsageError(`--${stray} goes with --learner bayes-point, not with ${learner}`);
}
