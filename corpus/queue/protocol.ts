import { z } from 'zod';
import { keepNames } from '../../combine/names.ts';
import { digestSchema } from '../../experiment/jobs/job.ts';
import { PREFIX } from '../../experiment/queue/protocol.ts';
import type { Release } from '../../experiment/queue/release.ts';
import { jsonDigest } from '../../src/digest.ts';
import { moduleFile, programFrom } from '../../src/program-digest.ts';
import { corpusFormats, corpusKinds } from '../inputs.ts';

const countSchema = z.int().min(0);
const placeSchema = { file: z.string(), byte: countSchema };
const partSchema = z.strictObject({
  ...placeSchema,
  bytes: countSchema,
  isBeginning: z.boolean(),
  document: z.string().optional(),
  continuesParagraph: z.boolean().optional(),
});

/** A shard in the queue; its bytes are in the data store. */
export const shardJobSchema = z.strictObject({
  model: z.strictObject({ name: z.string(), digest: digestSchema }),
  options: z.strictObject({
    to: z.enum(corpusFormats),
    isCompressed: z.boolean(),
    field: z.string(),
    keep: z.array(z.enum(keepNames)),
    confidence: z.boolean(),
    skipInvalid: z.boolean(),
    allowMissing: z.boolean(),
  }),
  shard: z.strictObject({
    number: z.int().min(1),
    kind: z.enum(corpusKinds),
    parts: z.array(partSchema).min(1),
  }),
  data: digestSchema,
  timeout: z.number().positive().optional(),
});
export type ShardJob = z.infer<typeof shardJobSchema>;

/** A worker's answer: figures and the digest of the output in the data store, or a `Refusal`. */
export const answerSchema = z.union([
  z.strictObject({
    sentences: countSchema,
    words: countSchema,
    skipped: countSchema,
    withoutTree: countSchema,
    warnings: z.array(z.string()),
    data: digestSchema,
  }),
  z.strictObject({ problem: z.string(), ...placeSchema, isUsage: z.boolean().optional() }),
]);
export type Answer = z.infer<typeof answerSchema>;

export function nameOf(job: ShardJob): string {
  return jsonDigest(job);
}

export const answerKey = (name: string) => `${PREFIX}:shard:${name}`;

/** The name of a release's queue of shards: only workers with the same code for parsing take shards from it. */
export function shardQueueName({ code }: Release): string {
  const parsing = programFrom([moduleFile('corpus/parse-shard')], new Set());
  return `shards-${code}-${parsing.code.slice(0, 16)}`;
}
