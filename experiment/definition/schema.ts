import { z } from 'zod';
import { DEFAULT_FOLDS } from '../../annotators/jackknife/folds.ts';
import { MOST_GUIDES } from '../../src/encoding/guides.ts';
import { punctuationChoices } from '../../src/evaluate/attachment/punctuation.ts';
import { breakdownNames } from '../../src/evaluate/breakdowns/buckets.ts';
import { type FigureName, figureNames, statistics } from '../cells/figures.ts';
import { morphologySchema, voteSchema } from '../cells/job.ts';
import { phraseScorerNames } from '../cells/job-result.ts';

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
    test: pathSchema.optional(),
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
    test: pathSchema.optional(),
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

/** Parsers whose trees another looks at, as `parliament train --guide` names them. */
const guidesSchema = z
  .array(
    z.strictObject({
      parser: z.string().min(1).describe('its paradigm'),
      options: z.record(z.string(), z.unknown()).optional().describe('its training options'),
    }),
  )
  .max(MOST_GUIDES);

/** What a cell is made by. Given for all cells in `defaults`, and anew for those of a row or a column. */
const settings = {
  paradigm: z.string().min(1).describe('kind of parser; default: graph'),
  options: z
    .record(z.string(), z.unknown())
    .describe(
      'training options of the paradigm by their names in one word, as singleRoot; those of defaults, row and column are put together',
    ),
  guides: guidesSchema.describe('other parsers whose trees this one learns to look at (stacking)'),
  treebank: treebankSchema.describe('a treebank of parliament data, or its files, relative to this one'),
  scoreOn: scoredTreebankSchema.describe('score on another treebank than that which is learnt from'),
  tags: z
    .enum(tagSources)
    .describe(
      'whose tags and lemmas the parser sees: the treebank’s; a tagger’s where it parses; also where it learns (jack-knifed); or both there',
    ),
  taggedBy: treebankSchema.describe('what taggers learn from, if not what the parser learns from'),
  morphology: morphologySchema.describe(
    'what the parser sees of lemmas and features: none, or tags and (some) features as one tag; default: all, as it is',
  ),
  folds: z
    .int()
    .min(2)
    .max(1000)
    .describe(
      'into how many parts sentences are cut for jack-knifed tags and for guides, each annotated by what learns from the others; default: 10',
    ),
  maxTokens: z.int().min(1).describe('score only sentences of at most so many tokens'),
  trainSentences: z
    .int()
    .min(1)
    .describe('learn from the first n sentences only; from all, where there are fewer'),
  seeds: z
    .array(seedSchema)
    .min(1)
    .refine(areDifferent, 'expected every seed once')
    .describe('one training each; default: [1]'),
  punctuation: z.enum(punctuationChoices).describe('which tokens are left out of scores; default: include'),
  brackets: z
    .enum(phraseScorerNames)
    .describe('how phrase-structure trees are scored, where there are such; default: evalb'),
  devShare: z
    .number()
    .gt(0)
    .lte(0.5)
    .describe('where a treebank has no dev part: the share of its last sentences that is held out'),
  statistic: z.enum(statistics).describe('what of several runs a cell shows; default: mean'),
  setAside: z
    .number()
    .gt(0)
    .lte(0.5)
    .describe(
      'the share of the training sentences, the last ones, from which a vote’s weights are learnt, or by which a training ends or chooses its epoch that has an option for that; default: 0.1',
    ),
};
const overridesSchema = z.strictObject(settings).partial();
export type Overrides = z.infer<typeof overridesSchema>;

/** What a cell has no use for that is made of others, or of a file. */
const ownTraining = [
  'paradigm',
  'options',
  'guides',
  'trainSentences',
  'seeds',
  'tags',
  'taggedBy',
  'morphology',
  'folds',
] as const;

const entrySchema = overridesSchema
  .extend({
    name: z.string().min(1),
    reported: z
      .union([z.string().min(1), z.partialRecord(z.enum(figureNames), z.string().min(1))])
      .optional()
      .describe('the figures of the source, to stand beside those of a row; or by figure'),
    files: z
      .union([pathSchema, z.record(z.string(), pathSchema)])
      .optional()
      .describe(
        'trees that another program has found: a file, in which {column}, {row} and {part} (dev or test) stand for their names; or one for each name of the other side of the table',
      ),
    of: z
      .union([z.literal('all'), z.array(z.string().min(1)).min(1).refine(areDifferent, ONCE)])
      .optional()
      .describe(
        'not trained, but made of the cells beside it: of those rows (columns), or all that are trained; without a vote it shows their runs, by the statistic',
      ),
    vote: voteSchema
      .optional()
      .describe(
        'the trees of those cells, put to the vote; of all that are trained where nothing else is said',
      ),
  })
  .refine(
    (entry) =>
      !isPooled(entry) || [...ownTraining, 'treebank' as const].every((key) => entry[key] === undefined),
    `expected none of ${[...ownTraining, 'treebank'].join(', ')} beside of and vote`,
  )
  .refine(
    (entry) => entry.files === undefined || ownTraining.every((key) => entry[key] === undefined),
    `expected none of ${ownTraining.join(', ')} beside files`,
  )
  .refine((entry) => entry.files === undefined || !isPooled(entry), 'expected either files, or of and vote');
export type Entry = z.infer<typeof entrySchema>;

/** Whether a row or column is made of others. */
export function isPooled({ of, vote }: { readonly of?: unknown; readonly vote?: unknown }): boolean {
  return (of ?? vote) !== undefined;
}

/**
 * The figures of the source for each row; empty where there are none.
 *
 * @param figure of which; of all where it is left out
 */
export function reportedFigures({ rows, sweep }: Reported, figure?: FigureName): readonly string[] {
  if (rows === undefined) return sweep?.reported ?? [];
  return rows.map(({ reported = '' }) => {
    if (typeof reported === 'string') return reported;
    return figure === undefined ? Object.values(reported).join(' / ') : (reported[figure] ?? '');
  });
}

/** What a table has of its source. */
interface Reported {
  readonly rows?: readonly Entry[] | undefined;
  readonly sweep?: { readonly reported?: readonly string[] | undefined } | undefined;
}

/** Along which side of a table its treebanks stand, where they do. */
export function treebankAxis(experiment: {
  readonly rows?: readonly Entry[] | undefined;
  readonly columns?: readonly Entry[] | undefined;
}): 'rows' | 'columns' | undefined {
  const axes = ['columns', 'rows'] as const;
  return axes.find((axis) => experiment[axis]?.every(({ treebank }) => treebank !== undefined));
}

const sweepSchema = z.strictObject({
  option: z.string().min(1).describe('a training option, or trainSentences'),
  values: z.array(z.union([z.number(), z.string(), z.boolean()])).min(1),
  reported: z
    .array(z.string())
    .optional()
    .describe('the figures of the source, to stand beside those of each value; empty where there are none'),
  fromOneTraining: z
    .boolean()
    .default(false)
    .describe(
      'for epochs and members: all values from one training that is scored after each of them; for paradigms where that is the same',
    ),
});

const namedOnce = (entries: readonly { readonly name: string }[]) =>
  new Set(entries.map(({ name }) => name)).size === entries.length;
const entriesSchema = z
  .array(entrySchema)
  .min(1)
  .refine(namedOnce, 'expected names that differ from each other');

/** A table as it stands in a JSON file: a cell for each row and column. */
export const experimentSchema = z.strictObject({
  $schema: z.string().optional().describe('where this format is described, for editors'),
  title: z.string().min(1),
  description: z.string().min(1),
  source: z.string().min(1).optional().describe('what it reproduces: a paper or report, with its table'),
  report: z.array(z.enum(figureNames)).min(1).describe('the figures of every cell'),
  defaults: overridesSchema.default({}).describe('what all cells are made by'),
  rows: entriesSchema.optional().describe('expected where there is no sweep'),
  sweep: sweepSchema.optional().describe('in place of rows: the values of one option, a row each'),
  columns: entriesSchema.optional().describe('default: one column'),
  baseline: z
    .string()
    .min(1)
    .optional()
    .describe('the row that every other one is tested against, or previous: the row above'),
  averages: z
    .boolean()
    .default(false)
    .describe(
      'a table for each figure, parsers and treebanks, with their means and mean ranks over treebanks',
    ),
  by: z
    .array(z.enum(breakdownNames))
    .default([])
    .describe('which parser errs where: a table for each of these kinds of arcs, over all treebanks'),
  final: z.boolean().default(false).describe('every cell on the test part, too, learnt from train and dev'),
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
  guides: [],
} as const satisfies Overrides;

/** The options whose smaller values a training passes on its way, and what it counts then. */
export const stepUnits: Readonly<Record<string, 'epoch' | 'member'>> = { epochs: 'epoch', members: 'member' };
