import { z } from 'zod';
import { scoredColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { type PunctuationRuleName, punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { type PhraseScorerName, phraseScorers } from '../../src/evaluate/parseval/scorers.ts';
import { digestSchema, type Job, jobNeeds, jobSchema } from './job.ts';

/** Null where a figure is not defined (NaN has no place in JSON). */
const scoreSchema = z.number().nullable();
const countsSchema = z.array(z.int().min(0));

const ruleScoresSchema = z.strictObject({
  /** Tokens scored, and those that the rule left out. */
  tokens: z.int(),
  excluded: z.int(),
  uas: scoreSchema,
  las: scoreSchema,
  laa: scoreSchema,
  rootAccuracy: scoreSchema,
  completeRate: scoreSchema,
  labelledCompleteRate: scoreSchema,
  warnings: z.array(z.string()),
  /**
   * For tests of significance, by sentence: tokens scored, with the right head, with the right head and
   * label.
   */
  sentences: z.strictObject({ tokens: countsSchema, uas: countsSchema, las: countsSchema }),
});
/** How good the parsed trees are under one punctuation rule; percentages. */
export type RuleScores = z.infer<typeof ruleScoresSchema>;

export const phraseScorerNames = Object.keys(phraseScorers) as [PhraseScorerName, ...PhraseScorerName[]];

const phraseScoresSchema = z.strictObject({
  precision: scoreSchema,
  recall: scoreSchema,
  f1: scoreSchema,
  exactMatch: scoreSchema,
  taggingAccuracy: scoreSchema,
  warnings: z.array(z.string()),
  /** By sentence: twice the matched brackets, gold and predicted brackets together. */
  sentences: z.strictObject({ matched: countsSchema, brackets: countsSchema }),
});
/** How good the phrase-structure trees are by one scorer; percentages. */
export type PhraseScores = z.infer<typeof phraseScoresSchema>;

const ruleNames = Object.keys(punctuationRules) as [PunctuationRuleName, ...PunctuationRuleName[]];
const sizeSchema = z.strictObject({ sentences: z.int(), tokens: z.int() });

/** What every job gives. */
const resultSchema = z.strictObject({
  job: jobSchema,
  /** SHA-256 of the file of its sentences. */
  trees: digestSchema,
  test: sizeSchema,
  /** Of training (of a vote: of its weights), and of parsing (voting, tagging). Measured: they differ from run to run. */
  seconds: z.number(),
  parseSeconds: z.number(),
  /** Bytes, of the whole process; measured. */
  peakMemory: z.number(),
  /** What the training had to say. */
  notices: z.array(z.string()),
  /** How many words have right tags and lemmas, in percent: of the columns that the gold sentences have. */
  tags: z.partialRecord(z.enum(scoredColumns), scoreSchema),
});

/**
 * What a job gives that finds trees, besides them. All punctuation rules are scored, so that a table under another
 * rule needs no other training.
 */
export const cellResultSchema = resultSchema.extend({
  scores: z.record(z.enum(ruleNames), ruleScoresSchema),
  /** By every scorer; where parser and treebank have phrase-structure trees. */
  phrases: z.record(z.enum(phraseScorerNames), phraseScoresSchema).optional(),
  /** After each epoch or member, every token scored; where it was asked for. */
  steps: z.array(z.strictObject({ uas: scoreSchema, las: scoreSchema })).optional(),
});
export type CellResult = z.infer<typeof cellResultSchema>;

/** A job that finds trees has scores of them; one that tags has none. */
export const jobResultSchema = z.union([cellResultSchema, resultSchema]);
export type JobResult = z.infer<typeof jobResultSchema>;

export function hasScores<Result extends object>(
  result: Result,
): result is Extract<Result, { readonly scores: unknown }> {
  return 'scores' in result;
}

/** Why a job has no result, in one line. */
export interface Problem {
  readonly problem: string;
}

/** What an executor tells of a job. */
export type Finished = JobResult | Problem;

export type RuleFigures = Omit<RuleScores, 'sentences'>;
export type PhraseFigures = Omit<PhraseScores, 'sentences'>;

/** What is kept of a result, of which there may be very many: what it tells by sentence stays in the cache. */
export interface CellSummary extends Omit<CellResult, 'scores' | 'phrases'> {
  readonly scores: Readonly<Record<keyof CellResult['scores'], RuleFigures>>;
  readonly phrases?: Readonly<Record<PhraseScorerName, PhraseFigures>>;
}
export type Summary = Exclude<JobResult, CellResult> | CellSummary;

/** What became of a job. */
export type Outcome = Summary | Problem;

export function isResult<Result extends object>(outcome: Result | Problem): outcome is Result {
  return !('problem' in outcome);
}

/**
 * What is kept of what became of a job.
 *
 * @param job as it was planned, its files where they lie now
 */
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

/** The failure of a job by that of one whose sentences it reads, all of which have an outcome. */
export function failedNeed(job: Job, outcomes: ReadonlyMap<string, Outcome>): Problem | undefined {
  const needed = jobNeeds(job).map((name) => outcomes.get(name)!);
  const failed = needed.find((outcome) => !isResult(outcome));
  if (failed === undefined || isResult(failed)) return undefined;
  return { problem: `${job.kind === 'vote' ? 'a member' : 'its tagging'} failed: ${failed.problem}` };
}
