import type { Redis } from 'ioredis';
import { parsed, type WorkerRecord, workerSchema } from './messages.ts';
import { keys } from './names.ts';

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
