import { randomUUID } from 'node:crypto';
import { open, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { InputError } from '../../src/errors.ts';
import { explaining, makeFolder } from '../../src/files/files.ts';
import { Replacement } from '../../src/files/replacement.ts';
import { KEPT, KEPT_AFTER, keys, parsed, unlessWrongType } from './protocol.ts';

/** Data shared between machines, addressed by SHA-256. Stored compressed; `transfer.ts` checks them on receipt. */
export interface DataStore {
  /** Whether the data are there; renews their expiry. */
  has(digest: string): Promise<boolean>;
  /** Stores data; they expire soon unless `has` is called afterwards. */
  put(digest: string, compressed: AsyncIterable<Buffer>): Promise<void>;
  /** The data in chunks, to be read or destroyed; undefined if they are not there. */
  get(digest: string): Promise<Readable | undefined>;
  /** Lets data expire soon: others may still need them for a while. */
  release(digest: string): Promise<void>;
  remove(digest: string): Promise<void>;
}

/** Stored data are damaged or not what was announced; sending them again may help. */
export class UnusableData extends InputError {}

/** Writes a file in pieces, completely or not at all; `InputError` if it cannot (the disk is full, say). */
export async function writeWhole(
  path: string,
  pieces: (write: (piece: Uint8Array) => void) => Promise<void>,
): Promise<void> {
  const writing = <T>(action: () => T): T => explaining(path, 'cannot be written', action);
  const file = writing(() => new Replacement(path));
  try {
    await pieces((piece) => writing(() => file.write(piece)));
    writing(() => file.commit());
  } finally {
    file.discard();
  }
}

/** Bytes that must be writable in a folder. */
const SPACE = 1 << 20;

/** Throws `InputError` if nothing can be written into a folder: its disk is full, say. */
export async function checkSpace(folder: string): Promise<void> {
  const file = join(folder, `space-${randomUUID()}`);
  await writeWhole(file, async (write) => write(new Uint8Array(SPACE)));
  await rm(file);
}

/** Data in a folder shared by all machines. Files that have not been touched for long may be deleted. */
export class FolderStore implements DataStore {
  private constructor(private readonly folder: string) {}

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

  async get(digest: string): Promise<Readable | undefined> {
    // Opened at once: the file may be deleted at any time.
    const file = await open(this.file(digest)).catch(() => undefined);
    return file?.createReadStream();
  }

  async release(): Promise<void> {
    // Others may still need it, and a folder has enough space.
  }

  async remove(digest: string): Promise<void> {
    await rm(this.file(digest), { force: true });
  }

  private file(digest: string): string {
    return join(this.folder, `${digest}.gz`);
  }
}

/** Bytes per value: larger ones would block other clients of Redis for too long. */
const CHUNK = 1 << 19;
/** Seconds that an upload may take. */
const UPLOAD = 6 * 3600;
/** The record under the digest itself, written last: names the upload and the number of its chunks. */
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
    // Simultaneous uploads of the same data do not mix their chunks; chunks that never get a head expire.
    const upload = randomUUID();
    let chunks = 0;
    for await (const chunk of inChunks(compressed))
      await this.redis.set(keys.chunk(digest, upload, chunks++), chunk, 'EX', UPLOAD);
    const head: Head = { upload, chunks };
    await this.release(digest);
    await this.redis.set(keys.data(digest), JSON.stringify(head), 'EX', UPLOAD);
  }

  async get(digest: string): Promise<Readable | undefined> {
    const head = await this.head(digest);
    return head && Readable.from(this.chunks(digest, head));
  }

  async release(digest: string): Promise<void> {
    const head = await this.head(digest);
    if (head !== undefined) await this.expire(digest, head, KEPT_AFTER);
  }

  async remove(digest: string): Promise<void> {
    const head = await this.head(digest);
    if (head === undefined) return;
    const chunks = Array.from({ length: head.chunks }, (_, i) => keys.chunk(digest, head.upload, i));
    await this.redis.del(keys.data(digest), ...chunks);
  }

  private async *chunks(digest: string, { upload, chunks }: Head): AsyncGenerator<Buffer> {
    for (let i = 0; i < chunks; i++) {
      const chunk = await unlessWrongType(this.redis.getBuffer(keys.chunk(digest, upload, i)));
      if (chunk == null) throw new UnusableData(`data ${digest.slice(0, 12)}… expired while they were read`);
      yield chunk;
    }
  }

  private async head(digest: string): Promise<Head | undefined> {
    return parsed(headSchema, await unlessWrongType(this.redis.get(keys.data(digest))));
  }

  /** Sets the expiry of all chunks, in seconds from now; false if some are gone. */
  private async expire(digest: string, { upload, chunks }: Head, seconds: number): Promise<boolean> {
    const all = Array.from({ length: chunks }, (_, i) => keys.chunk(digest, upload, i));
    const found = await Promise.all(
      [...all, keys.data(digest)].map((key) => this.redis.expire(key, seconds)),
    );
    return found.every((one) => one === 1);
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
