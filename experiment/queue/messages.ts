import { z } from 'zod';
import { digestSchema, jobSchema } from '../jobs/job.ts';

/** What waits in the queue, under the job's name. */
export const queuedSchema = z.strictObject({ job: jobSchema });
export type Queued = z.infer<typeof queuedSchema>;

/** Where a result is: digests of data in the store. */
export const pointerSchema = z.strictObject({ record: digestSchema, trees: digestSchema });
export type Pointer = z.infer<typeof pointerSchema>;

/** What a worker says of itself, every few seconds. */
export const workerSchema = z.strictObject({
  host: z.string(),
  process: z.int(),
  version: z.string(),
  code: z.string(),
  /** Cells that it may work on at the same time, and bytes for all of them. */
  jobs: z.int(),
  memory: z.number(),
  /** Cells at work, done, and failed; milliseconds since 1970 when it began. */
  running: z.int(),
  done: z.int(),
  failed: z.int(),
  since: z.number(),
});
export type WorkerRecord = z.infer<typeof workerSchema>;

/** A JSON text that others have written; undefined where it is not what it should be. */
export function parsed<T>(schema: z.ZodType<T>, text: string | null): T | undefined {
  if (text === null) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
