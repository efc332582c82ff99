import { z } from 'zod';
import { MOST_CHUNK } from '../encoding/chunks.ts';
import { liftingSchemes } from '../encoding/lifted-labels.ts';
import type { TemplateChoice } from '../encoding/templates/choice.ts';
import { OptionError, UsageError } from '../errors.ts';
import { givenFile } from '../files/given-file.ts';
import { type LearnerName, learnerNames } from '../learn/linear/learner.ts';
import { describeIssue } from '../schema-issue.ts';
import { tagColumns } from '../treebank/columns/names.ts';

/** Schemas of numbers, both bounds included. @param step of which the number must be a multiple */
export const whole = (least: number, most: number, step = 1) => {
  const error = `expected a ${step === 1 ? 'whole number' : `multiple of ${step}`} from ${least} to ${most}`;
  const number = z.int({ error }).min(least, { error }).max(most, { error });
  return step === 1 ? number : number.multipleOf(step, { error });
};
export const between = (least: number, most: number) => {
  const error = `expected a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
};

/** Factor of the learning rate in further training of a network. */
export const FURTHER_RATE = 0.25;

/** Schemas of the options that paradigms over encoded sentences share (`ExampleOptions`). */
export const encodingOptions = {
  tag: z
    .enum([...tagColumns, 'both'])
    .optional()
    .describe('tag columns that features read (default: both, if the file has two different ones)'),
  normalize: z.boolean().default(true).describe('keep the case of forms, and do not merge all numbers'),
  singleRoot: z
    .boolean()
    .optional()
    .describe('exactly one token depends on the root (default: as in the training data)'),
};

/** For parsers that build only projective trees: how labels encode lifted arcs (`Lifting`). */
export const pseudoProjectiveOption = z
  .enum(['none', ...liftingSchemes])
  .default('none')
  .describe(
    'pseudo-projective parsing, for parsers of projective trees only: training lifts crossing arcs, and labels encode the label of the original head, the path to it, or both, so that parsing can restore them',
  );

export const shuffleOption = z
  .boolean()
  .default(true)
  .describe('do not shuffle the sentences in every epoch');

export const keepOption = z
  .enum(['last', 'best'])
  .default('last')
  .describe('the epoch to keep: the last, or the best on held-out data by LAS');
export type Keep = z.infer<typeof keepOption>;

export const patienceOption = whole(1, 1000)
  .optional()
  .describe(
    'early stopping, with held-out data: end after this many epochs without a better LAS there, or after one without a mistake',
  );

export const judgesEpochs = (options: { patience?: number | undefined; keep: Keep }): boolean =>
  options.patience !== undefined || options.keep === 'best';

/** Maximum length of training sentences, and of the chunks that longer ones are parsed in. */
export function maxLengthOption(tokens: number) {
  return whole(1, MOST_CHUNK)
    .default(tokens)
    .describe('longer sentences are left out of training, and parsed in chunks of this many tokens');
}

/** A parser's templates: names of built-in sets, or lists by section, which the command line reads. */
export function templatesOption<SetName extends string, Section extends string>(
  sets: readonly SetName[],
  sections: readonly Section[],
  standard: readonly SetName[],
): z.ZodDefault<z.ZodType<TemplateChoice<SetName, Section>[]>> {
  const templates = z.array(z.string()).min(1).optional();
  const lists = z.strictObject(Object.fromEntries(sections.map((section) => [section, templates])));
  const choice = z.union([z.enum(sets), lists]) as z.ZodType<TemplateChoice<SetName, Section>>;
  return z
    .array(choice)
    .min(1)
    .default([...standard])
    .describe('feature templates: built-in sets, or files of templates');
}

const MEMBERS = 10;
const MEMBER_LEARNER: LearnerName = 'averaged-perceptron';
/** The name of the learner that averages several others (Bayes Point Machine). */
export const BAYES_POINT = 'bayes-point';

/** Learner options of linear paradigms; several trainings with another learner make a Bayes Point Machine. */
export function linearOptions(learners: readonly string[], standard: string) {
  return {
    learner: z
      .enum([...learners, BAYES_POINT])
      .default(standard)
      .describe('how weights are learnt; bayes-point averages members that saw the data in different orders'),
    members: whole(1, 1000).optional().describe(`with bayes-point: how many members (default: ${MEMBERS})`),
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

export type LinearOptions = Readonly<z.infer<z.ZodObject<ReturnType<typeof linearOptions>>>>;

export const memberCount = ({ members }: LinearOptions): number => members ?? MEMBERS;
export const memberName = (number: number): string => `member-${number}`;

export function keptMembers(options: LinearOptions): string[] {
  if (!options.keepMembers) return [];
  return Array.from({ length: memberCount(options) }, (_, k) => memberName(k + 1));
}

/** The options of a single training: for a Bayes Point Machine, the options of each member. */
export function singleTraining<Options extends LinearOptions>(options: Options): Options {
  if (options.learner !== BAYES_POINT) return options;
  const learner = options.memberLearner ?? MEMBER_LEARNER;
  return { ...options, learner, members: undefined, memberLearner: undefined, keepMembers: false };
}

/** The learner of one training; throws `OptionError` for a Bayes Point Machine, and for its options. */
export function singleLearner(options: LinearOptions): LearnerName {
  const { learner } = options;
  const known = learnerNames.find((name) => name === learner);
  if (known === undefined)
    throw new OptionError(
      (option) => `${option('learner', learner)} needs several trainings, one per member`,
    );
  refuseMemberOptions(options);
  return known;
}

/** Refuses, with an `OptionError`, options of a Bayes Point Machine with any other learner. */
export function refuseMemberOptions({ learner, members, memberLearner, keepMembers }: LinearOptions): void {
  const bound = { members, memberLearner, keepMembers: keepMembers || undefined };
  const stray = Object.entries(bound).find(([, value]) => value !== undefined);
  if (stray === undefined) return;
  throw new OptionError(
    (option) => `${option(stray[0])} goes with ${option('learner', BAYES_POINT)}, not with ${learner}`,
  );
}

/** Checks options and fills in defaults; throws `UsageError` for the first invalid one. */
export function checkedOptions<Options>(
  { name, options }: { readonly name: string; readonly options: z.ZodType<Options> },
  given: object,
): Options {
  const { success, data, error } = options.safeParse(given);
  if (success) return data;
  const [issue] = error.issues;
  if (issue.code === 'unrecognized_keys')
    throw new UsageError(`${name} has no option ${issue.keys.join(', ')}`);
  throw new UsageError(describeIssue(issue));
}

/** An option that names a file, identified by its content (`GivenFile`). */
export function givenFileOption(description: string, open = givenFile) {
  return z
    .union([
      z.string().transform(open),
      z.strictObject({ path: z.string(), digest: z.string(), encoding: z.string().optional() }),
    ])
    .optional()
    .meta({ placeholder: 'file' })
    .describe(description);
}
