import type { Redis } from 'ioredis';
import { keys, parsed, type Release, type WorkerRecord, workerSchema } from './protocol.ts';
import { openLink, openQueue, type QueueServer } from './server.ts';

/** Seconds after which a worker that has said nothing is taken to be gone. */
const SILENCE = 30;
/** Milliseconds between two signs of life. */
export const HEARTBEAT = 5000;

/** Who works for the queue: each worker has a key that expires unless it says something. */
export class Registry {
  constructor(private readonly redis: Redis) {}

  async announce(id: string, record: WorkerRecord): Promise<void> {
    await this.redis.sadd(keys.workers, id);
    await this.redis.set(keys.worker(id), JSON.stringify(record), 'EX', SILENCE);
  }

  async leave(id: string): Promise<void> {
    await this.redis.srem(keys.workers, id);
    await this.redis.del(keys.worker(id));
  }

  /** Those that live, of any release. */
  async list(): Promise<WorkerRecord[]> {
    const ids = await this.redis.smembers(keys.workers);
    if (ids.length === 0) return [];
    const texts = await this.redis.mget(ids.map(keys.worker));
    const gone = ids.filter((_, i) => texts[i] === null);
    if (gone.length > 0) await this.redis.srem(keys.workers, ...gone);
    return texts.map((text) => parsed(workerSchema, text)).filter((record) => record !== undefined);
  }
}

/** Minutes over which the rate is taken. */
const RECENT = 10;

/** How far the cells are that workers of this release do. */
export interface QueueStatus {
  readonly release: Release;
  /** Of all releases. */
  readonly workers: readonly WorkerRecord[];
  /** In the queue, and at work; those that are to be tried again wait, too. */
  readonly waiting: number;
  readonly active: number;
  /** Failed three times, and not yet told to those who asked for them. */
  readonly failed: number;
  /** Done a minute, lately; undefined where none was. */
  readonly rate: number | undefined;
  /** Seconds until the queue is empty at this rate. */
  readonly left: number | undefined;
}

/** Throws `InputError` where the queue cannot be reached. */
export async function queueStatus(server: QueueServer): Promise<QueueStatus> {
  const link = await openLink({ server });
  const queue = openQueue(link);
  try {
    const counts = await queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'failed');
    const [waiting, active] = [counts.waiting + counts.prioritized + counts.delayed, counts.active];
    // The youngest minute has only begun.
    const { data } = await queue.getMetrics('completed', 0, RECENT - 1);
    const done = data.map(Number);
    const rate = done.reduce((sum, n) => sum + n, 0) / Math.max(1, done.length);
    return {
      ...{ release: link.release, workers: await new Registry(link.redis).list() },
      ...{ waiting, active, failed: counts.failed },
      rate: rate > 0 ? rate : undefined,
      left: rate > 0 ? (60 * (waiting + active)) / rate : undefined,
    };
  } finally {
    await queue.disconnect();
    link.redis.disconnect();
  }
}
