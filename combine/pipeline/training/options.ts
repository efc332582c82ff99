import { z } from 'zod';
import { DEFAULT_FOLDS } from '../../../annotators/jackknife/fold.ts';
import { type AnnotatorName, type AnnotatorOptions, findTask } from '../../../annotators/registry.ts';
import type { Paradigm } from '../../../parsers/parser.ts';
import { findParadigm } from '../../../parsers/registry.ts';
import { OptionError } from '../../../src/errors.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { InputOptions } from '../../../src/training/network/inputs.ts';
import { inputOptions, inputsAmong, openInputs } from '../../../src/training/network/inputs.ts';
import { checkedOptions, type LinearOptions, singleTraining, whole } from '../../../src/training/options.ts';
import type { RunOptions, TrainingRun } from '../../../src/training/training-run.ts';
import { methodNames, weightingNames } from '../../names.ts';
import type { PartProgress } from '../../parser-part.ts';
import type { PlannedGuide, StackingOptions } from '../../stack/options.ts';
import { guidesOf, parserSchema, stackingOptions } from '../../stack/options.ts';
import type { TrainingTreebank } from '../../train-parser.ts';

export const VOTE = 'vote';
const anyOptions = z.record(z.string(), z.unknown());
const { guides } = stackingOptions.shape;
/** The parser whose options may be given without naming it. */
export const UNNAMED_PARSER = 'transition';
/** Default parsers, by the size of the treebank: docs/pipelines.md has the cross-validation. */
const SMALL = { parser: 'graph', options: { order: 2, decoder: 'eisner' } } as const;
const LARGE = { parser: 'network', options: {} } as const;
const LARGE_SENTENCES = 250;

/** Default members of a vote: parsers with different errors, ordered by how much each adds to the ones before. */
export const DEFAULT_MEMBERS: readonly z.input<typeof parserSchema>[] = [
  { parser: 'network' },
  { parser: 'transition' },
  { parser: 'transition', options: { direction: 'right-to-left' } },
  { parser: 'graph', options: { order: 2, decoder: 'eisner' } },
  { parser: 'transition', options: { system: 'arc-swap', learner: 'svm' } },
];

export const tagSources = ['both', 'predicted', 'gold'] as const;
export type TagSource = (typeof tagSources)[number];

/** Share of the default epochs for data with every sentence twice: as accurate as all epochs on UD English EWT. */
const SHARE_OF_EPOCHS = 0.6;

export const pipelineOptions = z.strictObject({
  parser: z
    .string()
    .optional()
    .describe(
      `paradigm of the parser, which also takes its own options; ${VOTE}: several parsers that vote (default: ${LARGE.parser} from ${LARGE_SENTENCES} sentences or with an encoder, otherwise ${SMALL.parser} of order ${SMALL.options.order} with the decoder ${SMALL.options.decoder})`,
    ),
  parserOptions: anyOptions.default({}),
  tags: z
    .enum(tagSources)
    .optional()
    .describe(
      'tags and lemmas that the parser is trained on: predicted (jackknifed), gold, or both, every sentence once with each (default: both if it trains in epochs, otherwise predicted)',
    ),
  folds: whole(2, 1000)
    .optional()
    .describe(
      `with guides, or unless tags are gold: number of folds, each tagged and parsed by models trained on the others (default: ${DEFAULT_FOLDS})`,
    ),
  ...inputOptions,
  guides: guides.optional(),
  members: z.array(parserSchema).min(2).optional(),
  weighting: z
    .enum(weightingNames)
    .optional()
    .describe(
      'weighting of the votes, learned on held-out data (default: learnt from 500 sentences on; from fewer las, or as without held-out data if a network has the best LAS)',
    ),
  method: z
    .enum(methodNames)
    .optional()
    .describe('how votes are combined into a tree (default: reparse-cle)'),
  tokenizer: anyOptions.default({}),
  tagger: anyOptions.default({}),
  lemmatizer: anyOptions.default({}),
});

/** The options of a pipeline as programs write them: those with a default may be left out. */
export type PipelineOptions = Omit<z.input<typeof pipelineOptions>, 'parserOptions' | AnnotatorName> &
  Partial<AnnotatorOptions> & { readonly parserOptions?: object | undefined };

/**
 * Options of `trainPipeline`; all are optional. With `jobs`, parts are trained in parallel, one thread each; checkpoints and
 * silver trees go with a single parser.
 */
export interface TrainPipelineOptions
  extends RunOptions<'seed' | 'jobs' | 'checkpoints' | 'silver' | 'signal'>,
    Pick<TrainingRun, 'onNotice' | 'onWarning'> {
  /** See `pipelineOptions`; unknown options are refused. */
  readonly options?: PipelineOptions | undefined;
  /** Held-out data: to score the pipeline, and to weigh the votes of several parsers. */
  readonly dev?: TrainingTreebank | undefined;
  /** A folder that caches finished parts; default: no cache. */
  readonly store?: string | undefined;
  /** Files of raw text: word vectors (unless there are others) and the encoder are trained on them; the tokenizer may use the first. */
  readonly text?: readonly string[] | undefined;
  /** Character encoding of these files; default: UTF-8. */
  readonly encoding?: string | undefined;
  /** Models of annotators to use instead of training new ones. */
  readonly annotators?: readonly ModelReader[] | undefined;
  onProgress?(progress: PartProgress): void;
}

/** A parser to train, with the source of its tags. */
export interface PlannedParser extends PlannedGuide {
  readonly tags: TagSource;
  readonly guides: readonly PlannedGuide[];
}

/** A pipeline to train, with all options checked. */
export interface PipelinePlan extends Pick<CheckedOptions, 'tags' | 'weighting' | 'method'> {
  readonly folds: number;
  readonly annotators: Readonly<Record<AnnotatorName, object>>;
  readonly parsers: readonly PlannedParser[];
}

type CheckedOptions = z.infer<typeof pipelineOptions>;

export const annotatorNames = [
  'tokenizer',
  'tagger',
  'lemmatizer',
] as const satisfies readonly AnnotatorName[];

/**
 * Checks options; throws `UsageError` for unknown ones, values out of range, and contradictions.
 *
 * @param sentences number of training sentences: determines the default parser
 */
export async function planOf(given: object, sentences = 0): Promise<PipelinePlan> {
  const options = checkedOptions({ name: 'pipeline', options: pipelineOptions }, given);
  const { members, tags, folds = DEFAULT_FOLDS, weighting, method } = options;
  const shared = inputsAmong(options);
  const isVote = options.parser === VOTE;
  const stray = Object.entries({ members, weighting, method }).find(([, value]) => value !== undefined);
  if (!isVote && stray !== undefined)
    throw new OptionError((option) => `${option(stray[0])} goes with ${option('parser', VOTE)}`);
  if (isVote && (options.guides ?? []).length > 0)
    throw new OptionError((option) => `${option('guide')} does not go with ${option('parser', VOTE)}`);
  checkFolds(options);
  const voters = members ?? DEFAULT_MEMBERS;
  const asked = isVote ? voters : [chosenParser(options, sentences)];
  const parsers = await Promise.all(
    asked.map((one) => plannedParser(one.parser, one.options ?? {}, shared, tags, options.guides)),
  );
  const entries = annotatorNames.map(async (name) => {
    const readsInputs = name === 'tagger' && options.tagger.units !== 0;
    const own = readsInputs ? filledIn(options[name], shared) : options[name];
    return [name, checkedOptions(await findTask(name), own)];
  });
  const annotators = Object.fromEntries(await Promise.all(entries));
  await checkInputs([annotators.tagger, ...parsers.map((one) => one.options)]);
  return { tags, folds, weighting, method, parsers, annotators };
}

/** Throws `OptionError` for a number of folds where there are none. */
export function checkFolds({
  folds,
  tags,
  guides = [],
}: Pick<CheckedOptions, 'folds' | 'tags' | 'guides'>): void {
  if (folds !== undefined && tags === 'gold' && guides.length === 0)
    throw new OptionError((option) => `${option('folds')} does not go with ${option('tags', 'gold')}`);
}

function chosenParser(
  { parser, parserOptions: options, guides = [], encoder }: CheckedOptions,
  sentences: number,
) {
  if (parser !== undefined) return { parser, options };
  if (Object.keys(options).length + guides.length > 0) return { parser: UNNAMED_PARSER, options };
  return encoder !== undefined || sentences >= LARGE_SENTENCES ? LARGE : SMALL;
}

/** Reads the files that options name, so that malformed ones are refused before anything is trained. */
async function checkInputs(all: readonly InputOptions[]): Promise<void> {
  const seen = new Set<string>();
  for (const inputs of all.map(inputsAmong)) {
    const key = JSON.stringify(inputs);
    if (!seen.has(key)) await openInputs(inputs);
    seen.add(key);
  }
}

/** Fills in missing (or undefined) options from the pipeline's. */
export function filledIn(own: object, shared: object): Record<string, unknown> {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...shared, ...Object.fromEntries(given) };
}

/** The refusal of a parser that learns from brackets. */
export const ofPhrases = (name: string): OptionError =>
  new OptionError(
    (option) =>
      `${option('parser', name)} is trained on brackets, which have no columns for a pipeline to fill: train it by itself`,
  );

async function plannedParser(
  name: string,
  own: object,
  shared: object,
  asked: TagSource | undefined,
  stacking: StackingOptions['guides'],
): Promise<PlannedParser> {
  const paradigm = await findParadigm(name);
  if (paradigm.needsPhrases) throw ofPhrases(name);
  const given = paradigm.takesVectors ? filledIn(own, shared) : own;
  const options = checkedOptions(paradigm, given) as object;
  const { guides } = await guidesOf(paradigm, { guides: stacking });
  // Parsers that keep a state train in epochs.
  const tags = asked ?? (paradigm.keepsState?.(options) ? 'both' : 'predicted');
  const once = { paradigm, options };
  if (tags !== 'both') return { ...once, guides, tags };
  const seldom = guides.map((guide, i) => withFewerEpochs(guide, stacking?.[i].options));
  return { ...withFewerEpochs(once, given), guides: seldom, tags };
}

/** Reduces the default number of epochs, for training data that has every sentence twice. */
function withFewerEpochs({ paradigm, options }: PlannedGuide, given: { readonly epochs?: unknown } = {}) {
  const epochs = epochsOf(paradigm, options);
  if (epochs === undefined || given.epochs !== undefined) return { paradigm, options };
  return { paradigm, options: { ...options, epochs: Math.ceil(SHARE_OF_EPOCHS * epochs) } };
}

/** The number of epochs, if it does not depend on the number of sentences. */
function epochsOf(paradigm: Paradigm, options: object): number | undefined {
  if (!paradigm.keepsState?.(options)) return undefined;
  const { linear } = paradigm as Paradigm<LinearOptions>;
  return linear?.epochs(singleTraining(options as LinearOptions));
}
