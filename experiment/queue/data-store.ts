import { randomUUID } from 'node:crypto';
import { open, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { InputError } from '../../src/errors.ts';
import { fileError, makeFolder } from '../../src/files/files.ts';
import { Replacement } from '../../src/files/replacement.ts';
import { KEPT, KEPT_AFTER, keys, parsed } from './protocol.ts';

/**
 * Where data are that machines give each other, by the SHA-256 of what they are. They are kept compressed, and checked
 * by who takes them (see `transfer.ts`).
 */
export interface DataStore {
  /** Whether it is there; then it stays for another while. */
  has(digest: string): Promise<boolean>;
  put(digest: string, compressed: AsyncIterable<Buffer>): Promise<void>;
  /** In pieces, in their order; undefined where it is not there. */
  get(digest: string): Promise<AsyncIterable<Buffer> | undefined>;
  /** It is not needed for long any more. */
  release(digest: string): Promise<void>;
}

/** Data in the store that are damaged, or others than they should be: they may be had once more. */
export class UnusableData extends InputError {}

/**
 * Makes a file of pieces, as a whole or not at all.
 *
 * @throws InputError where it cannot be written: the disk is full, say
 */
export async function writeWhole(
  path: string,
  pieces: (write: (piece: Uint8Array) => void) => Promise<void>,
): Promise<void> {
  const attempt = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw fileError(error, path, 'cannot be written');
    }
  };
  const file = attempt(() => new Replacement(path));
  try {
    await pieces((piece) => attempt(() => file.write(piece)));
    attempt(() => file.commit());
  } finally {
    file.discard();
  }
}

/** Data in a folder that all machines share. Any of its files may be removed that has not been touched for long. */
export class FolderStore implements DataStore {
  private constructor(private readonly folder: string) {}

  /** Makes the folder where it does not exist. Throws `InputError` where that cannot be. */
  static async open(folder: string): Promise<FolderStore> {
    await makeFolder(folder);
    return new FolderStore(folder);
  }

  async has(digest: string): Promise<boolean> {
    const now = new Date();
    return utimes(this.file(digest), now, now).then(
      () => true,
      () => false,
    );
  }

  async put(digest: string, compressed: AsyncIterable<Buffer>): Promise<void> {
    await writeWhole(this.file(digest), async (write) => {
      for await (const piece of compressed) write(piece);
    });
  }

  async get(digest: string): Promise<AsyncIterable<Buffer> | undefined> {
    // Opened at once: it may be removed at any time.
    const file = await open(this.file(digest)).catch(() => undefined);
    return file?.createReadStream();
  }

  async release(): Promise<void> {
    // Others may still need it; a folder has room.
  }

  private file(digest: string): string {
    return join(this.folder, `${digest}.gz`);
  }
}

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
