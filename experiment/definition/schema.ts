import { z } from 'zod';
import { DEFAULT_FOLDS } from '../../annotators/jackknife/folds.ts';
import { punctuationChoices } from '../../src/evaluate/attachment/punctuation.ts';
import { voteSchema } from '../jobs/job.ts';
import { phraseScorerNames } from '../jobs/job-result.ts';
import { figureNames } from '../results/figures.ts';
import { statistics } from '../results/statistics.ts';

const pathSchema = z
  .string()
  .min(1)
  .refine((path) => !path.includes('\0'), 'expected a path, which has no NUL in it');

/** A treebank by its name in the catalogue, or by its files, relative to the experiment's file. */
const treebankSchema = z.union([
  z.string().min(1),
  z.strictObject({
    name: z.string().min(1).optional(),
    train: pathSchema,
    dev: pathSchema.optional(),
    encoding: z.string().min(1).optional(),
  }),
]);
export type TreebankChoice = z.infer<typeof treebankSchema>;

/** The same, where nothing is learnt from it. */
const scoredTreebankSchema = z.union([
  z.string().min(1),
  z.strictObject({
    name: z.string().min(1).optional(),
    dev: pathSchema,
    encoding: z.string().min(1).optional(),
  }),
]);
export type ScoredTreebankChoice = z.infer<typeof scoredTreebankSchema>;

const areDifferent = (values: readonly unknown[]) => new Set(values).size === values.length;
const ONCE = 'expected every name once';

/** Whose tags and lemmas a parser sees: the treebank's, or a tagger's. */
const tagSources = ['gold', 'predicted-at-test', 'predicted', 'both'] as const;
export type TagSource = (typeof tagSources)[number];

const seedSchema = z.int().min(0).max(0xffff_ffff);

/** What a cell is made by. Given for all cells in `defaults`, and anew for those of a row or a column. */
const settings = {
  paradigm: z.string().min(1),
  /** Training options of the paradigm; those of defaults, row and column are put together. */
  options: z.record(z.string(), z.unknown()),
  treebank: treebankSchema,
  /** Score on another treebank's dev part than that of the treebank that is learnt from. */
  scoreOn: scoredTreebankSchema,
  /**
   * Whether a tagger (and a lemmatizer) annotates the sentences to be parsed, and also those to learn from: these by
   * jack-knifing, so that none is annotated by what has learnt from it. With `both` the parser learns from these twice:
   * as they are, and annotated.
   */
  tags: z.enum(tagSources),
  /** What taggers learn from, if not what the parser learns from: then there is nothing to jack-knife. */
  taggedBy: treebankSchema,
  /** For jack-knifing: how many parts there are, each tagged by what is learnt from the others. */
  folds: z.int().min(2).max(1000),
  /** Score only sentences of at most so many tokens. */
  maxTokens: z.int().min(1),
  /** Learn from the first n sentences only; from all, where there are fewer. */
  trainSentences: z.int().min(1),
  /** One training each. */
  seeds: z.array(seedSchema).min(1).refine(areDifferent, 'expected every seed once'),
  punctuation: z.enum(punctuationChoices),
  /** How phrase-structure trees are scored, where there are such. */
  brackets: z.enum(phraseScorerNames),
  /** Where a treebank has no dev part: the share of its last sentences that is held out. */
  devShare: z.number().gt(0).lte(0.5),
  /** What of several runs a cell shows. */
  statistic: z.enum(statistics),
  /** For votes with weights: the share of the training sentences, the last ones, that these are learnt from. */
  setAside: z.number().gt(0).lte(0.5),
};
const overridesSchema = z.strictObject(settings).partial();
export type Overrides = z.infer<typeof overridesSchema>;

/** What a cell made of others has no use for. */
const ownTraining = [
  'paradigm',
  'options',
  'treebank',
  'trainSentences',
  'seeds',
  'tags',
  'taggedBy',
  'folds',
] as const;

const entrySchema = overridesSchema
  .extend({
    name: z.string().min(1),
    /**
     * Not trained itself, but made of the cells beside it: of other rows (columns) by name, or of all that
     * are trained. Without a vote it shows their runs, by the statistic.
     */
    of: z.union([z.literal('all'), z.array(z.string().min(1)).min(1).refine(areDifferent, ONCE)]).optional(),
    /** The trees of those cells, put to the vote; of all that are trained where nothing else is said. */
    vote: voteSchema.optional(),
  })
  .refine(
    (entry) => !isPooled(entry) || ownTraining.every((key) => entry[key] === undefined),
    `expected none of ${ownTraining.join(', ')} beside of and vote`,
  );
export type Entry = z.infer<typeof entrySchema>;

/** Whether a row or column is made of others. */
export function isPooled({ of, vote }: { readonly of?: unknown; readonly vote?: unknown }): boolean {
  return (of ?? vote) !== undefined;
}

const sweepSchema = z.strictObject({
  /** A training option, or `trainSentences`. */
  option: z.string().min(1),
  values: z.array(z.union([z.number(), z.string(), z.boolean()])).min(1),
  /**
   * For `epochs` and `members`: all values from one training that is scored after each of them; for paradigms
   * where that is the same.
   */
  fromOneTraining: z.boolean().default(false),
});

const namedOnce = (entries: readonly { readonly name: string }[]) =>
  new Set(entries.map(({ name }) => name)).size === entries.length;
const entriesSchema = z
  .array(entrySchema)
  .min(1)
  .refine(namedOnce, 'expected names that differ from each other');

/** A table as it stands in a JSON file: a cell for each row and column. */
export const experimentSchema = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1),
  /** What it reproduces: a paper or report, with its table. */
  source: z.string().min(1).optional(),
  /** The figures of every cell. */
  report: z.array(z.enum(figureNames)).min(1),
  defaults: overridesSchema.default({}),
  /** Either the rows, or the values of one option: a row each. */
  rows: entriesSchema.optional(),
  sweep: sweepSchema.optional(),
  /** Default: one column. */
  columns: entriesSchema.optional(),
  /** The row that every other one is tested against, or `previous`: the row above. */
  baseline: z.string().min(1).optional(),
});
export type ExperimentFile = z.infer<typeof experimentSchema>;

/** What holds where neither the defaults, nor the row, nor the column say anything. */
export const standard = {
  paradigm: 'graph',
  tags: 'gold',
  folds: DEFAULT_FOLDS,
  seeds: [1],
  punctuation: 'include',
  brackets: 'evalb',
  devShare: 0.1,
  statistic: 'mean',
  setAside: 0.1,
} as const satisfies Overrides;

/** The options whose smaller values a training passes on its way, and what it counts then. */
export const stepUnits: Readonly<Record<string, 'epoch' | 'member'>> = { epochs: 'epoch', members: 'member' };
