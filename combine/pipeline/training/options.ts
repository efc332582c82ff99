import { z } from 'zod';
import { DEFAULT_FOLDS } from '../../../annotators/jackknife/folds.ts';
import { findTask } from '../../../annotators/registry.ts';
import type { Paradigm } from '../../../parsers/parser.ts';
import { findParadigm } from '../../../parsers/registry.ts';
import { OptionError } from '../../../src/errors.ts';
import { checkedOptions, type LinearOptions, singleTraining } from '../../../src/training/options.ts';
import { guidesOf, type PlannedGuide, type StackingOptions, stackingOptions } from '../../stack/options.ts';
import { methodNames, weightingNames } from '../../vote/names.ts';

/** As which parser several that vote are asked for. */
export const VOTE = 'vote';

const anyOptions = z.record(z.string(), z.unknown());
const memberSchema = z.strictObject({ parser: z.string(), options: anyOptions.default({}) });
const { guides } = stackingOptions.shape;

/**
 * Who votes where nobody is named: families that err in different places, in the order of how much each is worth to
 * the others.
 */
export const DEFAULT_MEMBERS: readonly z.input<typeof memberSchema>[] = [
  { parser: 'network' },
  { parser: 'transition' },
  { parser: 'transition', options: { direction: 'right-to-left' } },
  { parser: 'graph', options: { order: 2, decoder: 'eisner' } },
  { parser: 'transition', options: { system: 'arc-swap', learner: 'svm' } },
];

/** Whose tags and lemmas a parser learns from. */
export const tagSources = ['both', 'predicted', 'gold'] as const;
export type TagSource = (typeof tagSources)[number];

/**
 * Sentences that come twice are gone through less often, unless it is said how often: on the folds of UD English EWT
 * this is as good as no fewer epochs, in little more time than sentences once take.
 */
const SHARE_OF_EPOCHS = 0.6;

/** How a pipeline is learnt. */
export const pipelineOptions = z.strictObject({
  parser: z
    .string()
    .default('transition')
    .describe(`paradigm of the parser, whose own options can be given, too; ${VOTE}: several, which vote`),
  parserOptions: anyOptions.default({}),
  tags: z
    .enum(tagSources)
    .optional()
    .describe(
      'tags and lemmas that the parser learns from: those of taggers that have not learnt from these sentences, the treebank’s own, or every sentence once with each (default: both if it learns in epochs, otherwise predicted)',
    ),
  folds: z
    .int()
    .min(2)
    .max(1000)
    .default(DEFAULT_FOLDS)
    .describe(
      'with guides, or unless tags are gold: parts of the treebank, each tagged and parsed by what is learnt from the others',
    ),
  guides: guides.optional(),
  members: z.array(memberSchema).min(2).optional(),
  weighting: z
    .enum(weightingNames)
    .optional()
    .describe('what a vote weighs, learnt on held-out data (default: what does best with so many sentences)'),
  method: z.enum(methodNames).optional().describe('how a tree is made of votes (default: reparse-cle)'),
  tokenizer: anyOptions.default({}),
  tagger: anyOptions.default({}),
  lemmatizer: anyOptions.default({}),
});
export type PipelineOptions = z.infer<typeof pipelineOptions>;

/** A parser to be learnt, with all of its options. */
export interface PlannedParser {
  readonly paradigm: Paradigm;
  readonly options: object;
  readonly tags: TagSource;
  /** Other parsers whose trees it learns to look at. */
  readonly guides: readonly PlannedGuide[];
}

/** What is to be learnt, checked before anything is. */
export interface PipelinePlan extends Pick<PipelineOptions, 'tags' | 'folds' | 'weighting' | 'method'> {
  readonly annotators: Readonly<Record<AnnotatorName, object>>;
  /** One, or those that vote. */
  readonly parsers: readonly PlannedParser[];
}

/** In the order in which they work. */
export const annotatorNames = ['tokenizer', 'tagger', 'lemmatizer'] as const;
export type AnnotatorName = (typeof annotatorNames)[number];

/** Throws `UsageError` for what is unknown, out of range, or does not go together. */
export async function planOf(given: object): Promise<PipelinePlan> {
  const options = checkedOptions({ name: 'pipeline', options: pipelineOptions }, given);
  const { parser, parserOptions, members, tags, folds, weighting, method } = options;
  const isVote = parser === VOTE;
  const stray = Object.entries({ members, weighting, method }).find(([, value]) => value !== undefined);
  if (!isVote && stray !== undefined)
    throw new OptionError((option) => `${option(stray[0])} goes with ${option('parser', VOTE)}`);
  if (isVote && (options.guides ?? []).length > 0)
    throw new OptionError((option) => `${option('guide')} does not go with ${option('parser', VOTE)}`);
  const voters = members ?? DEFAULT_MEMBERS;
  const asked = isVote ? voters : [{ parser, options: parserOptions }];
  const parsers = await Promise.all(
    asked.map((one) => plannedParser(one.parser, one.options ?? {}, tags, options.guides)),
  );
  const annotators = annotatorNames.map(async (name) => [
    name,
    checkedOptions(await findTask(name), options[name]),
  ]);
  return {
    ...{ tags, folds, weighting, method, parsers },
    annotators: Object.fromEntries(await Promise.all(annotators)),
  };
}

async function plannedParser(
  name: string,
  given: object,
  asked: TagSource | undefined,
  stacking: StackingOptions['guides'],
): Promise<PlannedParser> {
  const paradigm = await findParadigm(name);
  if (paradigm.needsPhrases) {
    throw new OptionError(
      (option) =>
        `${option('parser', name)} learns from brackets, which have no place for what a pipeline fills: train it by itself`,
    );
  }
  const options = checkedOptions(paradigm, given) as object;
  const { guides } = await guidesOf(paradigm, { guides: stacking });
  // What keeps a state learns in epochs.
  const tags = asked ?? (paradigm.keepsState?.(options) ? 'both' : 'predicted');
  const once = { paradigm, options };
  if (tags !== 'both') return { ...once, guides, tags };
  const seldom = guides.map((guide, i) => withFewerEpochs(guide, stacking?.[i].options));
  return { ...withFewerEpochs(once, given), guides: seldom, tags };
}

/** To learn from sentences that are there twice. */
function withFewerEpochs(
  { paradigm, options }: PlannedGuide,
  given: { readonly epochs?: unknown } = {},
): PlannedGuide {
  const epochs = epochsOf(paradigm, options);
  if (epochs === undefined || given.epochs !== undefined) return { paradigm, options };
  return { paradigm, options: { ...options, epochs: Math.ceil(SHARE_OF_EPOCHS * epochs) } };
}

/** How often it goes through the sentences, where that does not go by how many they are. */
function epochsOf(paradigm: Paradigm, options: object): number | undefined {
  if (!paradigm.keepsState?.(options)) return undefined;
  const { linear } = paradigm as Paradigm<LinearOptions>;
  return linear?.epochs(singleTraining(options as LinearOptions));
}
