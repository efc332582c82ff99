import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type PunctuationRuleName, punctuationRules } from '../src/evaluate/punctuation.ts';

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);
const fileSchema = z.strictObject({ path: z.string(), digest: digestSchema });

/**
 * One training, parsing and scoring: all that its figures depend on, as plain data. It can be worked on in
 * any process on any machine that has the files.
 */
export const jobSchema = z.strictObject({
  /** The package's version and the digest of its code: another program may give other figures. */
  program: z.strictObject({ version: z.string(), code: digestSchema }),
  paradigm: z.string(),
  /** Every training option, with its value. */
  options: z.record(z.string(), z.unknown()),
  seed: z.int(),
  train: fileSchema,
  /** Absent: the dev part is the training file from sentence `devFrom` on, counted from 0. */
  dev: fileSchema.optional(),
  devFrom: z.int().min(1).optional(),
  encoding: z.string(),
  /** Sentences to learn from: the first ones. */
  trainSentences: z.int().min(1),
  /** Whether the dev part is to be scored during training, too, and after what. */
  scoreEvery: z.enum(['epoch', 'member']).optional(),
});
export type Job = z.infer<typeof jobSchema>;

/**
 * A job's name: the SHA-256 of everything it depends on. Where files lie does not matter, what is in them
 * does.
 */
export function jobName(job: Job): string {
  const { train, dev, ...rest } = job;
  const inputs = { ...rest, train: train.digest, dev: dev?.digest };
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

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

const ruleNames = Object.keys(punctuationRules) as [PunctuationRuleName, ...PunctuationRuleName[]];
const sizeSchema = z.strictObject({ sentences: z.int(), tokens: z.int() });

/**
 * What a job gives. All punctuation rules are scored, so that a table under another rule needs no other
 * training.
 */
export const cellResultSchema = z.strictObject({
  job: jobSchema,
  dev: sizeSchema,
  /** Of training, and of parsing the dev part. */
  seconds: z.number(),
  parseSeconds: z.number(),
  /** Bytes, of the whole process. */
  peakMemory: z.number(),
  /** What the training had to say. */
  notices: z.array(z.string()),
  scores: z.record(z.enum(ruleNames), ruleScoresSchema),
  /** After each epoch or member, every token scored; where it was asked for. */
  steps: z.array(z.strictObject({ uas: scoreSchema, las: scoreSchema })).optional(),
});
export type CellResult = z.infer<typeof cellResultSchema>;
