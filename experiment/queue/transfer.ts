import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { digestOf } from '../../src/digest.ts';
import { InputError } from '../../src/errors.ts';
import { fileError } from '../../src/files/files.ts';
import { type DataStore, UnusableData, writeWhole } from './data-store.ts';

/**
 * Bytes of decompressed data beyond which a transfer is refused, so that a decompression bomb fills neither disk nor
 * memory. No treebank is as large.
 */
export const sizeLimits = { file: 4e9, text: 256e6 };

/** Puts a file into the store if it is not there yet. Throws `InputError` if it cannot be read. */
export async function sendFile(store: DataStore, digest: string, path: string): Promise<void> {
  await send(store, digest, () => Readable.from(bytesOf(path)));
}

/** Puts a text or bytes into the store if they are not there yet; returns their digest. */
export async function sendText(store: DataStore, text: string | Uint8Array): Promise<string> {
  const digest = digestOf([text]);
  await send(store, digest, () => Readable.from([Buffer.from(text)]));
  return digest;
}

/** Repeats until all data are there: a server may lose the first chunks while the last are on their way. */
async function send(store: DataStore, digest: string, bytes: () => Readable): Promise<void> {
  while (!(await store.has(digest))) await store.put(digest, compressed(bytes()));
}

/** Fetches a file, whole or not at all; false if there is none. `UnusableData` if damaged, wrong or too large. */
export function receiveFile(store: DataStore, digest: string, path: string): Promise<boolean> {
  return receive(store, digest, (data) =>
    writeWhole(path, (write) => decompress(data, digest, sizeLimits.file, write)),
  );
}

/** Fetches a text from the store; undefined if it is not there. Throws `UnusableData` as `receiveFile` does. */
export async function receiveText(store: DataStore, digest: string): Promise<string | undefined> {
  return (await receiveBytes(store, digest))?.toString('utf8');
}

export async function receiveBytes(store: DataStore, digest: string): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  const isThere = await receive(store, digest, (data) =>
    decompress(data, digest, sizeLimits.text, (piece) => pieces.push(piece)),
  );
  return isThere ? Buffer.concat(pieces) : undefined;
}

/** Reads data; false if there are none. Removes unusable data, since only missing data are sent again. */
async function receive(store: DataStore, digest: string, read: (data: Readable) => Promise<void>) {
  const data = await store.get(digest);
  if (data === undefined) return false;
  try {
    await read(data);
    return true;
  } catch (error) {
    if (error instanceof UnusableData) await store.remove(digest);
    throw error;
  } finally {
    // The file may not have been writable, and nothing read: an open stream would be left to the garbage collector.
    data.destroy();
  }
}

/** Milliseconds to wait for data that should be in the store, and between two attempts. */
const [PATIENCE, PAUSE] = [60_000, 1000];

/** Waits for data, as the coordinator uploads lost data again when it notices; throws `InputError` in the end. */
export async function waitFor<T>(
  receive: () => Promise<T | undefined>,
  problem: string,
  signal: AbortSignal,
): Promise<T> {
  for (const end = Date.now() + PATIENCE; ; await setTimeout(PAUSE, undefined, { signal })) {
    const found = await receive();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new InputError(problem);
  }
}

/** The data received; undefined if they are damaged, or expire meanwhile. */
export async function undefinedIfUnusable<T>(received: Promise<T>): Promise<T | undefined> {
  try {
    return await received;
  } catch (error) {
    if (error instanceof UnusableData) return undefined;
    throw error;
  }
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw fileError(error, path, 'cannot be read');
  }
}

function compressed(bytes: Readable): AsyncIterable<Buffer> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  bytes.on('error', (error) => gzip.destroy(error));
  return bytes.pipe(gzip);
}

/** Decompresses data piece by piece, stops at `limit` bytes, and checks the digest. */
async function decompress(data: Readable, digest: string, limit: number, take: (piece: Buffer) => void) {
  const hash = createHash('sha256');
  let size = 0;
  const taking = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length;
      if (size > limit)
        return done(new UnusableData(`data ${digest.slice(0, 12)}… are larger than ${limit} bytes`));
      hash.update(piece);
      try {
        take(piece);
        done();
      } catch (error) {
        // Thrown here, on a full disk say, it would end the process.
        done(error as Error);
      }
    },
  });
  try {
    await pipeline(data, createGunzip(), taking.resume());
  } catch (error) {
    if (!/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw damaged(digest);
  }
  if (hash.digest('hex') !== digest) throw damaged(digest);
}

const damaged = (digest: string) => new UnusableData(`data ${digest.slice(0, 12)}… in the store are damaged`);
