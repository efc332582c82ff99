import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { fileError } from '../../src/files/files.ts';
import { type DataStore, UnusableData, writeWhole } from './data-store.ts';

/** Bytes, uncompressed, beyond which data are not what they say: no treebank is as large. */
const LARGEST = 4e9;
/** The same for what is held in memory. */
const LARGEST_IN_MEMORY = 256e6;

/** Puts a file into the store, unless it is there. Throws `InputError` where it cannot be read. */
export async function sendFile(store: DataStore, digest: string, path: string): Promise<void> {
  if (!(await store.has(digest))) await store.put(digest, compressed(Readable.from(bytesOf(path))));
}

/** Puts a text into the store, unless it is there; gives its digest. */
export async function sendText(store: DataStore, text: string): Promise<string> {
  const digest = createHash('sha256').update(text).digest('hex');
  if (!(await store.has(digest))) await store.put(digest, compressed(Readable.from([Buffer.from(text)])));
  return digest;
}

/**
 * Takes a file from the store; false where it is not there. It comes into being as a whole, or not at all.
 *
 * @throws UnusableData where what is there is not what its name says
 * @throws InputError where the file cannot be written
 */
export async function receiveFile(store: DataStore, digest: string, path: string): Promise<boolean> {
  const data = await store.get(digest);
  if (data === undefined) return false;
  await writeWhole(path, (write) => checked(data, digest, LARGEST, write));
  return true;
}

/** Takes a text from the store; undefined where it is not there. Throws `UnusableData` as `receiveFile` does. */
export async function receiveText(store: DataStore, digest: string): Promise<string | undefined> {
  const data = await store.get(digest);
  if (data === undefined) return undefined;
  const pieces: Buffer[] = [];
  await checked(data, digest, LARGEST_IN_MEMORY, (piece) => pieces.push(piece));
  return Buffer.concat(pieces).toString('utf8');
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

/** Uncompresses data piece by piece; never more than `most` bytes, whatever they would become. */
async function checked(
  data: AsyncIterable<Buffer>,
  digest: string,
  most: number,
  take: (piece: Buffer) => void,
): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  const taking = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length;
      if (size > most)
        return done(new UnusableData(`data ${digest.slice(0, 12)}… are larger than ${most} bytes`));
      hash.update(piece);
      take(piece);
      done();
    },
  });
  try {
    await pipeline(Readable.from(data), createGunzip(), taking.resume());
  } catch (error) {
    if (!/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw damaged(digest);
  }
  if (hash.digest('hex') !== digest) throw damaged(digest);
}

function damaged(digest: string): UnusableData {
  return new UnusableData(`data ${digest.slice(0, 12)}… in the store are damaged`);
}
