import { createHash } from 'node:crypto';
import { z } from 'zod';
import { methodNames, weightingNames } from '../../combine/vote/names.ts';
import { type PunctuationRuleName, punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { type PhraseScorerName, phraseScorers } from '../../src/evaluate/parseval/scorers.ts';

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Sentences of a file, counted from 0: from one number on, up to the one before another. */
const selectionSchema = z.strictObject({
  path: z.string(),
  digest: digestSchema,
  encoding: z.string(),
  from: z.int().min(0),
  to: z.int().min(1),
  /** Only those of at most so many tokens. */
  maxTokens: z.int().min(1).optional(),
});
export type Selection = z.infer<typeof selectionSchema>;

/** Whether two selections are of the same sentences, wherever their files lie. */
export function sameSentences(a: Selection, b: Selection): boolean {
  return JSON.stringify(a, placeless) === JSON.stringify(b, placeless);
}

function placeless(key: string, value: unknown): unknown {
  return key === 'path' ? undefined : value;
}

/** The package's version and the digest of the code that a job reaches: another program may give other figures. */
const programSchema = z.strictObject({ version: z.string(), code: digestSchema });
export type Program = z.infer<typeof programSchema>;

const common = {
  program: programSchema,
  /** What is parsed and scored. */
  test: selectionSchema,
};

/** One training, parsing and scoring. */
const parserJobSchema = z.strictObject({
  kind: z.literal('parser'),
  ...common,
  paradigm: z.string(),
  /** Every training option, with its value. */
  options: z.record(z.string(), z.unknown()),
  seed: z.int(),
  train: selectionSchema,
  /** Whether the test sentences are to be scored during training, too, and after what. */
  scoreEvery: z.enum(['epoch', 'member']).optional(),
});
export type ParserJob = z.infer<typeof parserJobSchema>;

/** How several parsers' trees become one. */
export const voteSchema = z.strictObject({
  /** Besides the ways to vote: `oracle`, what a vote that is always right where a member is would give. */
  method: z.enum([...methodNames, 'oracle']),
  /** What a member's vote weighs; all but `equal` is learnt from sentences that are set aside. */
  weights: z.enum(weightingNames).default('equal'),
});
export type Vote = z.infer<typeof voteSchema>;

/** Names of parser jobs, each for its trees of the same sentences. */
const membersSchema = z.array(digestSchema).min(1);

/** One vote over the trees of other jobs, and its scoring. */
const voteJobSchema = z.strictObject({
  kind: z.literal('vote'),
  ...common,
  vote: voteSchema,
  members: membersSchema,
  /** Where weights are learnt: the members' trees of sentences that they have not learnt from. */
  setAside: z.strictObject({ test: selectionSchema, members: membersSchema }).optional(),
});
export type VoteJob = z.infer<typeof voteJobSchema>;

/**
 * All that the figures of a cell depend on, as plain data. It can be worked on in any process on any machine
 * that has the files.
 */
export const jobSchema = z.discriminatedUnion('kind', [parserJobSchema, voteJobSchema]);
export type Job = z.infer<typeof jobSchema>;

/**
 * A job's name: the SHA-256 of everything it depends on. Where files lie does not matter, what is in them
 * does.
 */
export function jobName(job: Job): string {
  return createHash('sha256').update(JSON.stringify(job, placeless)).digest('hex');
}

/** The names of the jobs whose trees a job reads: they come first. */
export function jobNeeds(job: Job): readonly string[] {
  return job.kind === 'vote' ? [...job.members, ...(job.setAside?.members ?? [])] : [];
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

/**
 * What a job gives, besides the trees. All punctuation rules are scored, so that a table under another rule
 * needs no other training.
 */
export const cellResultSchema = z.strictObject({
  job: jobSchema,
  /** SHA-256 of the file of its trees. */
  trees: digestSchema,
  test: sizeSchema,
  /** Of training (of a vote: of its weights), and of parsing (voting). Measured: they differ from run to run. */
  seconds: z.number(),
  parseSeconds: z.number(),
  /** Bytes, of the whole process; measured. */
  peakMemory: z.number(),
  /** What the training had to say. */
  notices: z.array(z.string()),
  scores: z.record(z.enum(ruleNames), ruleScoresSchema),
  /** By every scorer; where parser and treebank have phrase-structure trees. */
  phrases: z.record(z.enum(phraseScorerNames), phraseScoresSchema).optional(),
  /** After each epoch or member, every token scored; where it was asked for. */
  steps: z.array(z.strictObject({ uas: scoreSchema, las: scoreSchema })).optional(),
});
export type CellResult = z.infer<typeof cellResultSchema>;
