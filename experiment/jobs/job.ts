import { z } from 'zod';
import { methodNames, weightingNames } from '../../combine/names.ts';
import { digestOf } from '../../src/digest.ts';
import type { GivenFile } from '../../src/files/given-file.ts';

export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** A range of sentences of a file, counted from 0: `from` inclusive, `to` exclusive. */
const fileSelectionSchema = z.strictObject({
  path: z.string(),
  digest: digestSchema,
  encoding: z.string(),
  from: z.int().min(0),
  to: z.int().min(1),
  maxTokens: z.int().min(1).optional(),
});
/** Sentences of one file, optionally followed by sentences of a second. */
const selectionSchema = fileSelectionSchema.extend({ followedBy: fileSelectionSchema.optional() });
export type Selection = z.infer<typeof selectionSchema>;

/** Whether two selections contain the same sentences, even if the paths of their files differ. */
export const sameSentences = (a: Selection, b: Selection): boolean =>
  JSON.stringify(a, withoutPaths) === JSON.stringify(b, withoutPaths);

/** A replacer for `JSON.stringify` that leaves out paths. */
export const withoutPaths = (key: string, value: unknown): unknown => (key === 'path' ? undefined : value);

const programSchema = z.strictObject({ version: z.string(), code: digestSchema });
export type Program = z.infer<typeof programSchema>;

const predictedTagsSchema = z.strictObject({
  program: programSchema,
  /** Whether the training sentences have predicted tags, too, or only the test sentences. */
  inTraining: z.boolean(),
  /** Present: the parser is trained on every sentence twice, with gold and with predicted tags. */
  besideGold: z.literal(true).optional(),
  folds: z.int().min(2).optional(),
  /** Training sentences of the taggers; default: the parser's. */
  learn: selectionSchema.optional(),
});
export type PredictedTags = z.infer<typeof predictedTagsSchema>;

const common = { program: programSchema, test: selectionSchema };

/** Stacking: the guide parsers with all their options, and the number of folds in which their trees are predicted. */
const stackingSchema = z.strictObject({
  guides: z.array(z.strictObject({ parser: z.string(), options: z.record(z.string(), z.unknown()) })).min(1),
  folds: z.int().min(2),
});

/**
 * The morphology visible to a parser: `none` removes lemmas and features; `in-tag` joins each tag with its features into
 * one tag; a list of names (`Case`) does so with these features only.
 */
export const morphologySchema = z.union([
  z.enum(['none', 'in-tag']),
  z.array(z.string().regex(/^[^=|]+$/, 'expected the name of a feature, as Case')).min(1),
]);
export type Morphology = z.infer<typeof morphologySchema>;

const parserJobSchema = z.strictObject({
  kind: z.literal('parser'),
  ...common,
  paradigm: z.string(),
  options: z.record(z.string(), z.unknown()),
  seed: z.int(),
  train: selectionSchema,
  /** Sentences by which the training chooses its best epoch; never the test sentences. */
  heldOut: selectionSchema.optional(),
  /** Present: the test sentences are also scored after every epoch or ensemble member. */
  scoreEvery: z.enum(['epoch', 'member']).optional(),
  /** Absent: gold tags and lemmas. */
  tags: predictedTagsSchema.optional(),
  stacking: stackingSchema.optional(),
  morphology: morphologySchema.optional(),
  /** Trees predicted by other parsers, as additional training data. */
  silver: z
    .strictObject({
      trees: selectionSchema,
      weight: z.number().min(0).max(1).optional(),
      goldEpochs: z.int().min(0).optional(),
    })
    .optional(),
});
export type ParserJob = z.infer<typeof parserJobSchema>;

/** Trains a tagger, and a lemmatizer if there are lemmas, and annotates the test sentences. */
const taggingJobSchema = z.strictObject({
  kind: z.literal('tagging'),
  ...common,
  seed: z.int(),
  learn: selectionSchema,
  /** Number of folds for jack-knifing; then `learn` and `test` are the same sentences. */
  folds: z.int().min(2).optional(),
});
export type TaggingJob = z.infer<typeof taggingJobSchema>;

export const voteSchema = z.strictObject({
  /**
   * A voting method; `oracle`: the upper bound, always right where any member is; `constituents`: votes on phrases, with
   * equal weights.
   */
  method: z.enum([...methodNames, 'oracle', 'constituents']),
  /** How members are weighted; all but `equal` are learned from held-out training sentences. */
  weights: z.enum(weightingNames).default('equal'),
});
export type Vote = z.infer<typeof voteSchema>;

/** Names of the jobs whose trees are combined; all parse the same sentences. */
const membersSchema = z.array(digestSchema).min(1);

const voteJobSchema = z.strictObject({
  kind: z.literal('vote'),
  ...common,
  vote: voteSchema,
  members: membersSchema,
  /** Present: weights are learned from the members' trees of these sentences, which they were not trained on. */
  setAside: z.strictObject({ test: selectionSchema, members: membersSchema }).optional(),
});
export type VoteJob = z.infer<typeof voteJobSchema>;

const fileJobSchema = z.strictObject({
  kind: z.literal('file'),
  ...common,
  /** The test sentences with the other program's trees. */
  trees: selectionSchema,
});
export type FileJob = z.infer<typeof fileJobSchema>;

/** Everything a cell's figures depend on, as plain data: any machine that has the files can run it. */
export const jobSchema = z.discriminatedUnion('kind', [
  parserJobSchema,
  taggingJobSchema,
  voteJobSchema,
  fileJobSchema,
]);
export type Job = z.infer<typeof jobSchema>;

/** A job's name: the SHA-256 of everything it depends on. The contents of files count, their paths do not. */
export const jobName = (job: Job): string => digestOf([JSON.stringify(job, withoutPaths)]);

export function jobNeeds(job: Job): readonly string[] {
  if (job.kind === 'vote') return [...job.members, ...(job.setAside?.members ?? [])];
  return job.kind === 'parser' ? Object.values(taggingsFor(job)).map(jobName) : [];
}

/** The sentences that determine a job's running time: the training or, for votes and files, the test sentences. */
export function sentencesIn(job: Job): Selection {
  if (job.kind === 'parser') return job.train;
  return job.kind === 'tagging' ? job.learn : job.test;
}

/** The tagging jobs that predict the tags of a parser job's sentences. */
export function taggingsFor(job: ParserJob): Partial<Record<'train' | 'heldOut' | 'test', TaggingJob>> {
  const { tags, train, heldOut, test, seed } = job;
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

export type FileSelection = Omit<Selection, 'followedBy'>;

/** All files that a job reads, the test sentences' first. */
export function filesOf(job: Job): GivenFile[] {
  const all: GivenFile[] = [];
  withFiles(Object.assign({ test: job.test }, job), (file) => {
    all.push(file);
    return file;
  });
  return all;
}

/** The same job with other paths of its files. The order of its keys stays the same, as its name depends on it. */
export function withFiles(job: Job, replace: (file: GivenFile) => GivenFile): Job {
  const placed = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(placed);
    const file = 'path' in value && 'digest' in value ? replace(value as GivenFile) : undefined;
    const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, placed(inner)]));
    return file === undefined ? copy : { ...copy, path: file.path };
  };
  return placed(job) as Job;
}
