import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../errors.ts';
import { makeFolder } from '../files.ts';
import { Replacement } from '../replacement.ts';

/** An address, a file in an npm package, a local file, or local files to be joined by blank lines. */
export type Source =
  | { readonly url: string }
  | { readonly npm: string; readonly path: string }
  | { readonly file: string }
  | { readonly files: readonly string[] };

export interface Expected {
  /** Absent if only the digest is known. */
  readonly bytes?: number | undefined;
  readonly sha256: string;
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes received so far from the current source. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Milliseconds after which a silent or very slow server is given up; default: 30,000. */
  readonly timeout?: number | undefined;
}

/**
 * Downloads a file, whole or not at all, from the first source with the right bytes, and returns that source.
 * @throws {InputError} with each source's problem, when none delivers the file
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

/** Maximum size of a file of unknown size; no treebank is as large. */
const MOST_BYTES = 1e9;
type Data = AsyncIterable<Uint8Array>;
export type Receive = (data: Data) => Promise<void>;

async function open(source: Source, options: DownloadOptions, receive: Receive): Promise<void> {
  if ('file' in source) return receive(createReadStream(source.file));
  if ('files' in source) return receive(joined(source.files));
  const watchdog = new Watchdog(options.signal, options.timeout);
  try {
    if ('url' in source) await fetchUrl(source.url, watchdog, receive);
    else {
      // Imported here because loading it takes longer than most commands.
      const { fetchFromPackage } = await import('./npm-package.ts');
      await fetchFromPackage(source.npm, source.path, watchdog, receive);
    }
  } finally {
    watchdog.end();
  }
}

async function* joined(files: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield* createReadStream(file);
    yield Buffer.from('\n');
  }
}

async function fetchUrl(url: string, watchdog: Watchdog, receive: Receive): Promise<void> {
  const response = await fetch(url, { signal: watchdog.signal });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`HTTP status ${response.status}`);
  }
  await receive(watchdog.watch(response.body));
}

async function save(data: Data, target: string, expected: Expected, { signal, onProgress }: DownloadOptions) {
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

/** Passes bytes on; throws if there are too many, or at the end if the digest differs. */
async function* verify(data: Data, expected: Expected, onProgress?: (bytes: number) => void) {
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

/** An error's message in one line; `fetch` hides the reason (no network, no such host) in its cause. */
function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error
    ? `${message}: ${cause.message || (cause as NodeJS.ErrnoException).code}`
    : message;
}

/** Minimum rate of a transfer in bytes per second. */
const LEAST_RATE = 500;
/** Milliseconds over which the rate is measured. */
const SPAN = 30_000;

/** Aborts its signal when a transfer is too slow, or its server silent or unreachable. */
export class Watchdog {
  readonly signal: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private bytes = 0;

  constructor(signal: AbortSignal | undefined, span: number = SPAN) {
    const controller = new AbortController();
    this.signal = signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
    this.timer = setInterval(() => {
      if (this.bytes < (LEAST_RATE * span) / 1000)
        controller.abort(new Error(`given up: ${this.bytes} bytes in ${span / 1000} s`));
      this.bytes = 0;
    }, span);
  }

  /** Passes bytes on, and counts them. */
  async *watch(data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of data) {
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  end(): void {
    clearInterval(this.timer);
  }
}

/** Passes bytes on; throws above `most`, as a server may send without end. */
export async function* atMost(most: number, data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of data) {
    bytes += chunk.length;
    if (bytes > most) throw new Error(`more than the ${most} bytes expected`);
    yield chunk;
  }
}
