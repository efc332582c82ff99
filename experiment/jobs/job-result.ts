import { z } from 'zod';
import { scoredColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { type PunctuationRuleName, punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { type PhraseScorerName, phraseScorers } from '../../src/evaluate/parseval/scorers.ts';
import { digestSchema, type Job, jobNeeds, jobSchema } from './job.ts';

/** Null if the figure is undefined (JSON has no NaN). */
const scoreSchema = z.number().min(0).max(100).nullable();
const countsSchema = z.array(z.int().min(0));
/** Maximum number of seconds, thirty years: results from other machines must not make sums infinite. */
const LONGEST = 1e9;

const scores = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, scoreSchema])) as Record<Name, typeof scoreSchema>;

const rates = ['rootAccuracy', 'completeRate', 'labelledCompleteRate'] as const;
export const attachmentScores = ['uas', 'las', 'laa', ...rates] as const;
export const bracketScores = ['precision', 'recall', 'f1', 'exactMatch', 'taggingAccuracy'] as const;

const ruleScoresSchema = z.strictObject({
  /** Number of scored tokens, and of tokens that the rule excludes. */
  tokens: z.int(),
  excluded: z.int(),
  ...scores(...attachmentScores),
  warnings: z.array(z.string()),
  /** Per sentence, for significance tests: scored tokens, those with the right head, and with right head and label. */
  sentences: z.strictObject({ tokens: countsSchema, uas: countsSchema, las: countsSchema }),
});
/** Attachment scores in percent under one punctuation rule. */
export type RuleScores = z.infer<typeof ruleScoresSchema>;

export const phraseScorerNames = Object.keys(phraseScorers) as [PhraseScorerName, ...PhraseScorerName[]];

const phraseScoresSchema = z.strictObject({
  ...scores(...bracketScores),
  warnings: z.array(z.string()),
  /** Per sentence: twice the matched brackets, and the sum of gold and predicted brackets. */
  sentences: z.strictObject({ matched: countsSchema, brackets: countsSchema }),
});
/** PARSEVAL scores in percent by one scorer. */
export type PhraseScores = z.infer<typeof phraseScoresSchema>;

const ruleNames = Object.keys(punctuationRules) as [PunctuationRuleName, ...PunctuationRuleName[]];
const sizeSchema = z.strictObject({ sentences: z.int(), tokens: z.int() });

const resultSchema = z.strictObject({
  job: jobSchema,
  trees: digestSchema,
  test: sizeSchema,
  /** Time of training (a vote: of learning its weights), and of parsing, voting or tagging. Varies between runs. */
  seconds: z.number().min(0).max(LONGEST),
  parseSeconds: z.number().min(0).max(LONGEST),
  /** Bytes, of the whole process. Varies between runs. */
  peakMemory: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  notices: z.array(z.string()),
  /** Accuracy in percent of each column of tags or lemmas that the gold sentences have. */
  tags: z.partialRecord(z.enum(scoredColumns), scoreSchema),
});

/** The result of a job that predicts trees, scored by all rules, so that another rule needs no new training. */
export const cellResultSchema = resultSchema.extend({
  scores: z.record(z.enum(ruleNames), ruleScoresSchema),
  /** By scorer; absent unless parser and treebank have phrase-structure trees. */
  phrases: z.record(z.enum(phraseScorerNames), phraseScoresSchema).optional(),
  /** Scores of all tokens after each epoch or member; if requested. */
  steps: z.array(z.strictObject({ uas: scoreSchema, las: scoreSchema })).optional(),
});
export type CellResult = z.infer<typeof cellResultSchema>;

/** Jobs that predict trees have scores, tagging jobs have none. */
export const jobResultSchema = z.union([cellResultSchema, resultSchema]);
export type JobResult = z.infer<typeof jobResultSchema>;

export function hasScores<Result extends object>(
  result: Result,
): result is Extract<Result, { readonly scores: unknown }> {
  return 'scores' in result;
}

interface Problem {
  readonly problem: string;
}

export type Finished = JobResult | Problem;
export type RuleFigures = Omit<RuleScores, 'sentences'>;
export type PhraseFigures = Omit<PhraseScores, 'sentences'>;

/** A result without counts per sentence, which stay in the cache: a table may have thousands of results. */
export interface CellSummary extends Omit<CellResult, 'scores' | 'phrases'> {
  readonly scores: Readonly<Record<keyof CellResult['scores'], RuleFigures>>;
  readonly phrases?: Readonly<Record<PhraseScorerName, PhraseFigures>>;
}
export type Summary = Exclude<JobResult, CellResult> | CellSummary;
/** A job's result without counts per sentence, or the reason why there is none. */
export type Outcome = Summary | Problem;

export const isResult = <Result extends object>(outcome: Result | Problem): outcome is Result =>
  !('problem' in outcome);

/** Leaves out a result's counts per sentence, and replaces its job by the planned one, with local paths. */
export function outcomeOf(finished: Finished, job: Job): Outcome {
  if (!isResult(finished)) return finished;
  if (!hasScores(finished)) return { ...finished, job };
  const { scores, phrases, ...others } = finished;
  return { ...others, job, scores: figuresOf(scores), ...(phrases && { phrases: figuresOf(phrases) }) };
}

function figuresOf<Name extends string, Scores extends { readonly sentences: unknown }>(
  all: Readonly<Record<Name, Scores>>,
): Record<Name, Omit<Scores, 'sentences'>> {
  const figures = Object.entries<Scores>(all).map(([name, { sentences: _, ...own }]) => [name, own]);
  return Object.fromEntries(figures);
}

/** The problem of a job that depends on a failed one; all jobs that it depends on must have an outcome. */
export function failedNeed(job: Job, outcomes: ReadonlyMap<string, Outcome>): Problem | undefined {
  const needed = jobNeeds(job).map((name) => outcomes.get(name)!);
  const failed = needed.find((outcome) => !isResult(outcome));
  if (failed === undefined || isResult(failed)) return undefined;
  return { problem: `${job.kind === 'vote' ? 'a member' : 'its tagging'} failed: ${failed.problem}` };
}
