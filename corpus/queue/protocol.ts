import { z } from 'zod';
import { keepNames } from '../../combine/names.ts';
import { digestSchema } from '../../experiment/jobs/job.ts';
import { PREFIX } from '../../experiment/queue/protocol.ts';
import type { Release } from '../../experiment/queue/release.ts';
import { jsonDigest } from '../../src/digest.ts';
import { moduleFile, programFrom } from '../../src/program-digest.ts';
import { corpusFormats, corpusKinds, MOST_SECONDS } from '../inputs.ts';

const countSchema = z.int().min(0);

/** How shards are parsed and written: plain data, the same for all shards of a corpus. */
const parsingSchema = z.strictObject({
  to: z.enum(corpusFormats),
  isCompressed: z.boolean(),
  field: z.string(),
  /** Annotation of CoNLL-U to keep; the rest is predicted. */
  keep: z.array(z.enum(keepNames)).readonly(),
  confidence: z.boolean(),
  skipInvalid: z.boolean(),
  allowMissing: z.boolean(),
});
export type ParsingOptions = Readonly<z.infer<typeof parsingSchema>>;

/** A range of bytes of a file: plain data. */
const partSchema = z.strictObject({
  file: z.string(),
  /** Position of its first byte in the uncompressed file. */
  byte: countSchema,
  bytes: countSchema,
  /** Whether the part is the beginning of the file; otherwise it continues a document. */
  isBeginning: z.boolean(),
  /** The id of the document of CoNLL-U that the part continues, if it has one. */
  document: z.string().optional(),
  /** Comments that `--skip-invalid` carries over from malformed sentences of CoNLL-U before the part. */
  marks: z.array(z.string()).readonly().optional(),
  /** Whether the part begins within a paragraph of text. */
  continuesParagraph: z.literal(true).optional(),
});
export type ShardPart = Readonly<z.infer<typeof partSchema>>;

/** A shard in the queue; its bytes are in the data store. */
export const shardJobSchema = z.strictObject({
  model: z.strictObject({ name: z.string(), digest: digestSchema }),
  options: parsingSchema,
  shard: z.strictObject({
    number: z.int().min(1),
    kind: z.enum(corpusKinds),
    parts: z.array(partSchema).min(1).readonly(),
  }),
  data: digestSchema,
  timeout: z.number().positive().max(MOST_SECONDS).optional(),
});
export type ShardJob = z.infer<typeof shardJobSchema>;

/** What is wrong with a shard itself: parsing it again would not help. */
const refusalSchema = z.strictObject({
  problem: z.string(),
  file: z.string(),
  /** The invalid byte, or the first byte of the wrong line or of the shard. */
  byte: countSchema,
  /**
   * Whether the options contradict the model or the input, so that all shards will fail; `problem` then has options in
   * braces, `{allowMissing}`.
   */
  isUsage: z.boolean().optional(),
});
export type Refusal = Readonly<z.infer<typeof refusalSchema>>;

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
  refusalSchema,
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
