import { z } from 'zod';
import { digestSchema, jobSchema } from '../jobs/job.ts';
import type { Release } from './release.ts';

export const PREFIX = 'parliament';
/** Seconds until data and results expire after their last use. */
export const KEPT = 7 * 86_400;
/** Seconds until they expire after they are fetched: another coordinator may need them, too. */
export const KEPT_AFTER = 600;

/** The name of a release's queue: only workers of the same release take jobs from it. */
export const queueName = ({ code }: Release): string => `cells-${code}`;

/** Keys in Redis. */
export const keys = {
  data: (digest: string) => `${PREFIX}:data:${digest}`,
  chunk: (digest: string, upload: string, i: number) => `${PREFIX}:data:${digest}:${upload}:${i}`,
  result: (job: string) => `${PREFIX}:result:${job}`,
  workers: `${PREFIX}:workers`,
  worker: (id: string) => `${PREFIX}:worker:${id}`,
};

export const queuedSchema = z.strictObject({ job: jobSchema });
export type Queued = z.infer<typeof queuedSchema>;

/** Where a result is: digests of its record and trees in the data store. */
export const pointerSchema = z.strictObject({ record: digestSchema, trees: digestSchema });
export type Pointer = z.infer<typeof pointerSchema>;

const countSchema = z.int().min(0);
/** The latest time that a `Date` can hold. */
const LATEST = 8.64e15;

/** A worker's status, which it publishes every few seconds. */
export const workerSchema = z.strictObject({
  host: z.string().max(255),
  process: z.int(),
  version: z.string().max(100),
  code: z.string().max(100),
  jobs: countSchema,
  memory: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  /** Numbers of cells; `since` is the start time in milliseconds since 1970. */
  running: countSchema,
  done: countSchema,
  failed: countSchema,
  since: z.number().min(0).max(LATEST),
});
export type WorkerRecord = z.infer<typeof workerSchema>;

/** Parses JSON from outside; undefined if it does not follow the schema. */
export function parsed<T>(schema: z.ZodType<T>, text: string | null | undefined): T | undefined {
  if (text == null) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Redis's answer, or undefined if the key holds a value of another type, written by another program. */
export async function unlessWrongType<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (/^WRONGTYPE\b/.test((error as Error).message)) return undefined;
    throw error;
  }
}
