import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Queued, WorkerRecord } from './protocol.ts';
import { keys, parsed, queueName, unlessWrongType, workerSchema } from './protocol.ts';
import { type Release, releaseText } from './release.ts';
import { type Link, openQueue, type QueueServer, withLink } from './server.ts';

/** Seconds without a heartbeat after which a worker counts as gone. */
const SILENCE = 30;
/** Milliseconds between heartbeats. */
export const HEARTBEAT = 5000;

/** The list of active workers in Redis: each has a key that expires without heartbeats. */
export class WorkerRegistry {
  constructor(private readonly redis: Redis) {}

  async announce(id: string, record: WorkerRecord): Promise<void> {
    await this.redis.sadd(keys.workers, id);
    await this.redis.set(keys.worker(id), JSON.stringify(record), 'EX', SILENCE);
  }

  async leave(id: string): Promise<void> {
    await this.redis.srem(keys.workers, id);
    await this.redis.del(keys.worker(id));
  }

  async list(): Promise<WorkerRecord[]> {
    const ids = (await unlessWrongType(this.redis.smembers(keys.workers))) ?? [];
    if (ids.length === 0) return [];
    const texts = await this.redis.mget(ids.map(keys.worker));
    const gone = ids.filter((_, i) => texts[i] === null);
    if (gone.length > 0) await this.redis.srem(keys.workers, ...gone);
    return texts.map((text) => parsed(workerSchema, text)).filter((record) => record !== undefined);
  }

  /** A notice that a release has no worker; undefined if it has one. */
  async missingNotice({ code, version }: Release): Promise<string | undefined> {
    const workers = await this.list();
    if (workers.some((worker) => worker.code === code)) return undefined;
    const others = [...new Set(workers.map(releaseText))].join(', ');
    const besides = others === '' ? '' : `; workers of ${others} would give other figures`;
    return `no worker of this version, ${releaseText({ code, version })}, is there yet${besides}`;
  }
}

/** Minutes over which the rate is averaged. */
const RECENT = 10;

/** Reads the state of a queue; throws `InputError` if it cannot be reached. */
export async function queueStatus(server: QueueServer) {
  return withLink({ server }, async (link) => {
    const queue = openQueue<Queued>(link, queueName(link.release));
    return statusOf(queue, link).finally(() => queue.disconnect());
  });
}

async function statusOf(queue: Queue<Queued>, link: Link) {
  const counts = await queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'failed');
  // The cells that wait include those to be retried.
  const [waiting, active] = [counts.waiting + counts.prioritized + counts.delayed, counts.active];
  // The latest minute has only begun, so it is not requested.
  const { data } = await queue.getMetrics('completed', 0, RECENT - 1);
  const done = data.map(Number);
  const rate = done.reduce((sum, n) => sum + n, 0) / Math.max(1, done.length);
  return {
    release: link.release,
    workers: await new WorkerRegistry(link.redis).list(),
    waiting,
    active,
    // Cells that failed three times and have not been reported yet.
    failed: counts.failed,
    // Cells per minute, and estimated seconds until the queue is empty; undefined if none was completed lately.
    rate: rate > 0 ? rate : undefined,
    left: rate > 0 ? (60 * (waiting + active)) / rate : undefined,
  };
}
