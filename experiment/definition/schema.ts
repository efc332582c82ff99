import { z } from 'zod';
import { DEFAULT_FOLDS } from '../../annotators/jackknife/fold.ts';
import { MOST_GUIDES } from '../../src/encoding/guides.ts';
import { punctuationChoices } from '../../src/evaluate/attachment/punctuation.ts';
import { breakdownNames } from '../../src/evaluate/breakdowns/buckets.ts';
import { type FigureName, figureNames, statistics } from '../cells/figures.ts';
import { morphologySchema, voteSchema } from '../jobs/job.ts';
import { phraseScorerNames } from '../jobs/job-result.ts';

const pathSchema = z
  .string()
  .min(1)
  .refine((path) => !path.includes('\0'), 'expected a path, without NUL');

const textSchema = z.string().min(1);
const filesSchema = z.strictObject({
  name: textSchema.optional(),
  train: pathSchema,
  dev: pathSchema.optional(),
  test: pathSchema.optional(),
  encoding: textSchema.optional(),
});
/** A treebank by catalogue name, or by its files, relative to the experiment file. */
const treebankSchema = z.union([textSchema, filesSchema]);
export type TreebankChoice = z.infer<typeof treebankSchema>;

const scoredFilesSchema = filesSchema.omit({ train: true }).extend({ dev: pathSchema });
const scoredTreebankSchema = z.union([textSchema, scoredFilesSchema]);
export type ScoredTreebankChoice = z.infer<typeof scoredTreebankSchema>;

const areDifferent = (values: readonly unknown[]) => new Set(values).size === values.length;
const tagSources = ['gold', 'predicted-at-test', 'predicted', 'both'] as const;

const shareSchema = z.number().gt(0).lte(0.5);

const guidesSchema = z
  .array(
    z.strictObject({
      parser: textSchema.describe('its paradigm'),
      options: z.record(z.string(), z.unknown()).optional().describe('its training options'),
    }),
  )
  .max(MOST_GUIDES);

const silverSchema = z.strictObject({
  trees: pathSchema.describe('a file of trees that other parsers found, relative to this file'),
  sentences: z.int().min(1).optional().describe('only its first n, or all if there are fewer; default: all'),
  weight: z.number().min(0).max(1).optional().describe('of one of its trees; a gold one has 1; default: 1'),
  goldEpochs: z
    .int()
    .min(0)
    .optional()
    .describe('last epochs, which learn from the treebank alone; default: 0'),
});
export type SilverChoice = z.infer<typeof silverSchema>;

/** Settings of cells: for all of them in `defaults`, overridden by rows and columns. */
const settings = {
  paradigm: textSchema.describe('kind of parser; default: graph'),
  options: z
    .record(z.string(), z.unknown())
    .describe(
      'training options of the paradigm in camel case, as singleRoot; the options of row and column, and of defaults if it is their paradigm, are merged',
    ),
  guides: guidesSchema.describe('guide parsers, whose trees give features to this one (stacking)'),
  treebank: treebankSchema.describe('a treebank of parliament data, or its files, relative to this file'),
  silver: silverSchema.describe(
    'silver trees: additional training data, predicted by other parsers (distillation)',
  ),
  scoreOn: scoredTreebankSchema.describe('score on another treebank than the training treebank'),
  tags: z
    .enum(tagSources)
    .describe(
      'tags and lemmas that the parser sees: gold; predicted at test time; predicted in training, too (jack-knifed); or training on gold and predicted ones',
    ),
  taggedBy: treebankSchema.describe('training treebank of the taggers, if not the parser’s'),
  morphology: morphologySchema.describe(
    'lemmas and features that the parser sees: none, or tags and (some) features as one tag; default: all',
  ),
  folds: z
    .int()
    .min(2)
    .max(1000)
    .describe('number of folds for jack-knifed tags and for guides; default: 10'),
  maxTokens: z.int().min(1).describe('score only sentences of at most n tokens'),
  trainSentences: z
    .int()
    .min(1)
    .describe('train on the first n sentences only, or on all if there are fewer'),
  seeds: z
    .array(z.int().min(0).max(0xffff_ffff))
    .min(1)
    .refine(areDifferent, 'expected every seed once')
    .describe('one training each; default: [1]'),
  punctuation: z.enum(punctuationChoices).describe('which tokens are excluded from scores; default: include'),
  brackets: z.enum(phraseScorerNames).describe('how phrase-structure trees are scored; default: evalb'),
  devShare: shareSchema.describe(
    'share of the last sentences that is held out if a treebank has no dev part; default: 0.1',
  ),
  statistic: z.enum(statistics).describe('how several runs become one figure; default: mean'),
  setAside: shareSchema.describe(
    'share of the training sentences, the last ones, held out for learning a vote’s weights and for choosing the best epoch; default: 0.1',
  ),
};
const overridesSchema = z.strictObject(settings).partial();
export type Overrides = z.infer<typeof overridesSchema>;

/** Settings that combined cells and output files cannot have. */
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
  'silver',
] as const;

const entrySchema = overridesSchema
  .extend({
    name: textSchema,
    reported: z
      .union([textSchema, z.partialRecord(z.enum(figureNames), textSchema)])
      .optional()
      .describe('the source’s figures, shown beside a row’s own figures; or by figure'),
    files: z
      .union([pathSchema, z.record(z.string(), pathSchema)])
      .optional()
      .describe(
        'another program’s output: a file, in which {column}, {row} and {part} (dev or test) are replaced by their names; or a file for each name on the other axis of the table',
      ),
    of: z
      .union([z.literal('all'), z.array(textSchema).min(1).refine(areDifferent, 'expected every name once')])
      .optional()
      .describe(
        'combines these rows (columns), or all that are trained; without a vote it pools their runs, by the statistic',
      ),
    vote: voteSchema
      .optional()
      .describe('combines the trees of those cells by vote; default: of all that are trained'),
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

export function isPooled({ of, vote }: { readonly of?: unknown; readonly vote?: unknown }): boolean {
  return (of ?? vote) !== undefined;
}

/** The source's figures for each row (default: all figures together); empty texts if there are none. */
export function reportedFigures(
  { rows, sweep }: Pick<ExperimentFile, 'rows' | 'sweep'>,
  figure?: FigureName,
) {
  if (rows === undefined) return sweep?.reported ?? [];
  return rows.map(({ reported = '' }) => {
    if (typeof reported === 'string') return reported;
    return figure === undefined ? Object.values(reported).join(' / ') : (reported[figure] ?? '');
  });
}

export function treebankAxis(experiment: Pick<ExperimentFile, 'rows' | 'columns'>) {
  const axes = ['columns', 'rows'] as const;
  return axes.find((axis) => experiment[axis]?.every(({ treebank }) => treebank !== undefined));
}

/** Whether all cells are scored on other treebanks than those they name to learn from. */
export function isScoredElsewhere({ defaults, rows = [], columns = [] }: ExperimentFile): boolean {
  const single = [rows, columns].map((axis) => axis.filter((entry) => !isPooled(entry)));
  return [[defaults], ...single].some(
    (axis) => axis.length > 0 && axis.every(({ scoreOn }) => scoreOn !== undefined),
  );
}

/** The value for all sentences in a sweep over `trainSentences`. */
export const ALL = 'all';

const sweepSchema = z.strictObject({
  option: textSchema.describe('a training option, or trainSentences, of which a value may be “all”'),
  values: z.array(z.union([z.number(), z.string(), z.boolean()])).min(1),
  reported: z
    .array(z.string())
    .optional()
    .describe('the source’s figures, shown beside each value’s own figures; empty if there are none'),
  fromOneTraining: z
    .boolean()
    .default(false)
    .describe(
      'for epochs and members: one training for all values, scored after each of them; for paradigms where that gives the same figures',
    ),
});

const entriesSchema = z
  .array(entrySchema)
  .min(1)
  .refine((entries) => areDifferent(entries.map(({ name }) => name)), 'expected different names');

export const experimentSchema = z.strictObject({
  $schema: z.string().optional().describe('where this format is described, for editors'),
  title: textSchema,
  description: textSchema,
  source: textSchema.optional().describe('the paper or report that it reproduces, with its table'),
  report: z.array(z.enum(figureNames)).min(1).describe('the figures of every cell'),
  defaults: overridesSchema.default({}).describe('settings of all cells'),
  rows: entriesSchema.optional().describe('required without a sweep'),
  sweep: sweepSchema.optional().describe('in place of rows: one row for each value of an option'),
  columns: entriesSchema.optional().describe('default: one column'),
  baseline: textSchema
    .optional()
    .describe('the row that the others are tested against, or previous: the row above'),
  averages: z
    .boolean()
    .default(false)
    .describe('one table per figure, parsers × treebanks, with means and mean ranks over treebanks'),
  by: z
    .array(z.enum(breakdownNames))
    .default([])
    .describe('error breakdowns: a table for each of these groupings of arcs, over all treebanks'),
  final: z
    .boolean()
    .default(false)
    .describe('score every cell on the test part, too, trained on train and dev'),
});
export type ExperimentFile = z.infer<typeof experimentSchema>;

/** Settings that apply unless the defaults, the row, or the column override them. */
export const defaultSettings = {
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

/** Options that count a training's steps, with the unit: one training can serve all values. */
export const stepUnits: Readonly<Record<string, 'epoch' | 'member'>> = { epochs: 'epoch', members: 'member' };
