import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parsed } from '../messages.ts';
import { KEPT, KEPT_AFTER, keys } from '../names.ts';
import type { DataStore } from './data-store.ts';
import { UnusableData } from './unusable-data.ts';

/** Bytes of one value: larger ones would keep Redis from others for too long. */
const CHUNK = 1 << 19;

/** What is under the digest itself, written last: where its chunks are. */
const headSchema = z.strictObject({ upload: z.uuid(), chunks: z.int().min(0).max(1e6) });
type Head = z.infer<typeof headSchema>;

/** Data in Redis itself, in chunks that expire. */
export class RedisStore implements DataStore {
  constructor(private readonly redis: Redis) {}

  async has(digest: string): Promise<boolean> {
    const head = await this.head(digest);
    return head !== undefined && (await this.expire(digest, head, KEPT));
  }

  async put(digest: string, compressed: AsyncIterable<Buffer>): Promise<void> {
    // Two who put the same at the same time do not mix their chunks.
    const upload = randomUUID();
    let chunks = 0;
    for await (const chunk of inChunks(compressed)) {
      await this.redis.set(keys.chunk(digest, upload, chunks++), chunk, 'EX', KEPT);
    }
    const head: Head = { upload, chunks };
    await this.redis.set(keys.data(digest), JSON.stringify(head), 'EX', KEPT);
  }

  async get(digest: string): Promise<AsyncIterable<Buffer> | undefined> {
    const head = await this.head(digest);
    return head && this.chunks(digest, head);
  }

  async release(digest: string): Promise<void> {
    const head = await this.head(digest);
    if (head !== undefined) await this.expire(digest, head, KEPT_AFTER);
  }

  private async *chunks(digest: string, { upload, chunks }: Head): AsyncGenerator<Buffer> {
    for (let i = 0; i < chunks; i++) {
      const chunk = await this.redis.getBuffer(keys.chunk(digest, upload, i));
      if (chunk === null) throw new UnusableData(`data ${digest.slice(0, 12)}… have expired in their middle`);
      yield chunk;
    }
  }

  private async head(digest: string): Promise<Head | undefined> {
    return parsed(headSchema, await this.redis.get(keys.data(digest)));
  }

  /** Gives data so many seconds from now; false where some of them are gone. */
  private async expire(digest: string, { upload, chunks }: Head, seconds: number): Promise<boolean> {
    for (let i = 0; i < chunks; i++) {
      if ((await this.redis.expire(keys.chunk(digest, upload, i), seconds)) === 0) return false;
    }
    return (await this.redis.expire(keys.data(digest), seconds)) === 1;
  }
}

async function* inChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    if (size < CHUNK) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}
