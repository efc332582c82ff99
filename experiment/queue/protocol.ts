import { createHash } from 'node:crypto';
import { z } from 'zod';
import { paradigmNames } from '../../parsers/registry.ts';
import { packageVersion } from '../../src/files/package.ts';
import { digestSchema, jobSchema } from '../cells/job.ts';
import { programOf } from '../cells/program.ts';

/** What all keys in Redis begin with. */
export const PREFIX = 'parliament';

/** Seconds that data and results stay after they were last asked for. */
export const KEPT = 7 * 86_400;

/** Seconds that they stay when the one who asked for them has them: another may have asked for the same. */
export const KEPT_AFTER = 600;

/** The queue that workers of a release look into. */
export function queueName({ code }: Release): string {
  return `cells-${code}`;
}

export const keys = {
  data: (digest: string) => `${PREFIX}:data:${digest}`,
  chunk: (digest: string, upload: string, i: number) => `${PREFIX}:data:${digest}:${upload}:${i}`,
  result: (job: string) => `${PREFIX}:result:${job}`,
  workers: `${PREFIX}:workers`,
  worker: (id: string) => `${PREFIX}:worker:${id}`,
};

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

/** Changes where coordinators and workers of before would not understand each other. */
const PROTOCOL = 1;

/** Who understands each other's jobs. */
export interface Release {
  readonly version: string;
  /** Digest of the programs of all kinds of jobs. */
  readonly code: string;
}

/** What runs here. Jobs are put where only workers of the same release look: others would give other figures. */
export function thisRelease(): Release {
  const parsers = paradigmNames().map((paradigm) => programOf({ kind: 'parser', paradigm }));
  const others = (['tagging', 'vote', 'file'] as const).map((kind) => programOf({ kind }));
  const text = JSON.stringify([
    PROTOCOL,
    ...[...parsers, ...others].map(({ version, code }) => [version, code]),
  ]);
  const code = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { version: packageVersion(), code };
}

/** `0.1.0 (1a2b3c4d)`. */
export function releaseText({ version, code }: Release): string {
  return `${version} (${code.slice(0, 8)})`;
}
