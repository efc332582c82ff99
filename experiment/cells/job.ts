import { createHash } from 'node:crypto';
import { z } from 'zod';
import { methodNames, weightingNames } from '../../combine/vote/names.ts';
import { morphologySchema } from './morphology.ts';

export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Sentences of a file, counted from 0: from one number on, up to the one before another. */
const fileSelectionSchema = z.strictObject({
  path: z.string(),
  digest: digestSchema,
  encoding: z.string(),
  from: z.int().min(0),
  to: z.int().min(1),
  /** Only those of at most so many tokens. */
  maxTokens: z.int().min(1).optional(),
});
/** Perhaps with those of another file after them. */
const selectionSchema = fileSelectionSchema.extend({ followedBy: fileSelectionSchema.optional() });
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

/** By what the tags and lemmas that a parser reads are found, where they are not the treebank's own. */
const predictedTagsSchema = z.strictObject({
  program: programSchema,
  /** Whether the parser learns from predicted ones, too; else they are those of the test sentences only. */
  inTraining: z.boolean(),
  /** Whether it learns from the same sentences with gold ones beside these; left out: not. */
  besideGold: z.literal(true).optional(),
  /** Where the sentences to learn from are jack-knifed: into how many folds. */
  folds: z.int().min(2).optional(),
  /** What taggers learn from, if not what the parser learns from. */
  learn: selectionSchema.optional(),
});
export type PredictedTags = z.infer<typeof predictedTagsSchema>;

const common = {
  program: programSchema,
  /** What is parsed and scored. */
  test: selectionSchema,
};

/** The parsers whose trees another looks at, each with every training option, and in how many folds it learns them. */
const stackingSchema = z.strictObject({
  guides: z.array(z.strictObject({ parser: z.string(), options: z.record(z.string(), z.unknown()) })).min(1),
  folds: z.int().min(2),
});

/** One training, parsing and scoring. */
const parserJobSchema = z.strictObject({
  kind: z.literal('parser'),
  ...common,
  paradigm: z.string(),
  /** Every training option, with its value. */
  options: z.record(z.string(), z.unknown()),
  seed: z.int(),
  train: selectionSchema,
  /** Sentences that are not learnt from, by which the training decides when to end, or which epoch to keep. */
  heldOut: selectionSchema.optional(),
  /** Whether the test sentences are to be scored during training, too, and after what. */
  scoreEvery: z.enum(['epoch', 'member']).optional(),
  /** Left out: gold tags and lemmas. */
  tags: predictedTagsSchema.optional(),
  /** Left out: it is not guided by others. */
  stacking: stackingSchema.optional(),
  /** Left out: it sees all lemmas and features. */
  morphology: morphologySchema.optional(),
});
export type ParserJob = z.infer<typeof parserJobSchema>;

/** The training of a tagger, and of a lemmatizer where there are lemmas, by which the test sentences are annotated. */
const taggingJobSchema = z.strictObject({
  kind: z.literal('tagging'),
  ...common,
  seed: z.int(),
  learn: selectionSchema,
  /** Where they are the same sentences: into how many folds they are cut, each tagged by what the others teach. */
  folds: z.int().min(2).optional(),
});
export type TaggingJob = z.infer<typeof taggingJobSchema>;

/** How several parsers' trees become one. */
export const voteSchema = z.strictObject({
  /** Besides the ways to vote: `oracle`, what a vote that is always right where a member is would give. */
  method: z.enum([...methodNames, 'oracle']),
  /** What a member's vote weighs; all but `equal` is learnt from sentences that are set aside. */
  weights: z.enum(weightingNames).default('equal'),
});
export type Vote = z.infer<typeof voteSchema>;

/** Names of jobs, each for its trees of the same sentences. */
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

/** The scoring of trees that another program has found. */
const fileJobSchema = z.strictObject({
  kind: z.literal('file'),
  ...common,
  /** The same sentences with these trees. */
  trees: selectionSchema,
});
export type FileJob = z.infer<typeof fileJobSchema>;

/**
 * All that the figures of a cell depend on, as plain data. It can be worked on in any process on any machine
 * that has the files.
 */
export const jobSchema = z.discriminatedUnion('kind', [
  parserJobSchema,
  taggingJobSchema,
  voteJobSchema,
  fileJobSchema,
]);
export type Job = z.infer<typeof jobSchema>;

/**
 * A job's name: the SHA-256 of everything it depends on. Where files lie does not matter, what is in them
 * does.
 */
export function jobName(job: Job): string {
  return createHash('sha256').update(JSON.stringify(job, placeless)).digest('hex');
}

/** The names of the jobs whose sentences a job reads: they come first. */
export function jobNeeds(job: Job): readonly string[] {
  if (job.kind === 'vote') return [...job.members, ...(job.setAside?.members ?? [])];
  return job.kind === 'parser' ? Object.values(taggingsFor(job)).map(jobName) : [];
}

/** Those that it takes its time over: that are learnt from, or else voted on. */
export function sentencesIn(job: Job): Selection {
  if (job.kind === 'parser') return job.train;
  return job.kind === 'tagging' ? job.learn : job.test;
}

/** By which jobs the sentences are tagged that a parser learns from, that judge its epochs, and that it parses. */
export function taggingsFor({ tags, train, heldOut, test, seed }: ParserJob): {
  train?: TaggingJob;
  heldOut?: TaggingJob;
  test?: TaggingJob;
} {
  if (tags === undefined) return {};
  const { program, inTraining, folds, learn } = tags;
  const common = { kind: 'tagging', program, seed, learn: learn ?? train } as const;
  const ofTrain = { ...common, test: train, ...(folds !== undefined && { folds }) };
  return {
    ...(inTraining && { train: ofTrain }),
    ...(heldOut && { heldOut: { ...common, test: heldOut } }),
    test: { ...common, test },
  };
}
