/**
 * Fetches files whose size and SHA-256 are known beforehand: a file arrives whole and right, or not at all.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../errors.ts';
import { makeFolder } from '../files.ts';
import { Replacement } from '../replacement.ts';
import { atMost, Patience } from './patience.ts';

/**
 * Where a file may come from: an address, a file inside an npm package's tarball, a file on this machine, or
 * several of them, one after the other, each ended by a blank line.
 */
export type Source =
  | { readonly url: string }
  | { readonly npm: string; readonly path: string }
  | { readonly file: string }
  | { readonly files: readonly string[] };

/** What the file must be, whatever its source. */
export interface Expected {
  /** Absent where it is known by its digest alone. */
  readonly bytes?: number | undefined;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes received so far from the source being read. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Milliseconds after which a server is given up that sends nothing, or next to nothing; default: 30,000. */
  readonly patience?: number | undefined;
}

/**
 * Puts the file at `target` from the first source that gives it; a source that fails or gives other bytes is
 * passed over. The bytes go to a temporary file in the same folder, which takes the target's name only when
 * its digest is right, and is removed otherwise.
 *
 * @returns the source that gave it
 * @throws {InputError} naming each source and what was wrong with it, when none gave the file
 */
export async function download(
  sources: readonly Source[],
  target: string,
  expected: Expected,
  options: DownloadOptions = {},
): Promise<Source> {
  const problems: string[] = [];
  await makeFolder(dirname(target));
  for (const source of sources) {
    try {
      await open(source, options, (data) => save(data, target, expected, options));
      return source;
    } catch (error) {
      options.signal?.throwIfAborted();
      problems.push(`${describe(source)}: ${reason(error)}`);
    }
  }
  throw new InputError(problems.join('; ') || 'no source is known', { file: target });
}

/** Of a file of unknown size: no treebank is as large. */
const MOST_BYTES = 1e9;

type Data = AsyncIterable<Uint8Array>;
type Receive = (data: Data) => Promise<void>;

async function open(source: Source, options: DownloadOptions, receive: Receive): Promise<void> {
  if ('file' in source) return receive(createReadStream(source.file));
  if ('files' in source) return receive(joined(source.files));
  const patience = new Patience(options.signal, options.patience);
  try {
    if ('url' in source) await fetchUrl(source.url, patience, receive);
    else {
      // Loaded here, as it takes longer than most commands do.
      const { fetchFromPackage } = await import('./npm-package.ts');
      await fetchFromPackage(source.npm, source.path, patience, receive);
    }
  } finally {
    patience.end();
  }
}

const lineFeed = Buffer.from('\n');

async function* joined(files: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield* createReadStream(file);
    yield lineFeed;
  }
}

async function fetchUrl(url: string, patience: Patience, receive: Receive): Promise<void> {
  const response = await fetch(url, { signal: patience.signal });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`HTTP status ${response.status}`);
  }
  await receive(patience.hears(response.body));
}

async function save(
  data: Data,
  target: string,
  expected: Expected,
  { signal, onProgress }: DownloadOptions,
): Promise<void> {
  const file = new Replacement(target);
  const write = async (chunks: Data) => {
    for await (const chunk of chunks) file.write(chunk);
  };
  try {
    await pipeline(verify(data, expected, onProgress), write, { ...(signal && { signal }) });
    file.commit();
  } finally {
    file.discard();
  }
}

/** Passes the bytes on; throws as soon as they are too many, or at the end when they are not the expected ones. */
async function* verify(
  data: Data,
  expected: Expected,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of atMost(expected.bytes ?? MOST_BYTES, data)) {
    bytes += chunk.length;
    hash.update(chunk);
    onProgress?.(bytes);
    yield chunk;
  }
  const sha256 = hash.digest('hex');
  if (sha256 !== expected.sha256) {
    const size = expected.bytes === undefined ? '' : ` (${expected.bytes} bytes)`;
    throw new Error(`SHA-256 is ${sha256} (${bytes} bytes), expected ${expected.sha256}${size}`);
  }
}

function describe(source: Source): string {
  if ('url' in source) return source.url;
  if ('npm' in source) return `npm package ${source.npm}`;
  return 'file' in source ? source.file : `${source.files[0]} … ${source.files.at(-1)}`;
}

/** One line; `fetch` hides the reason (no network, no such host) in the error's cause. */
function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error
    ? `${message}: ${cause.message || (cause as NodeJS.ErrnoException).code}`
    : message;
}
