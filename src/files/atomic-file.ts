import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { access, constants, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { InputError } from '../errors.ts';
import { encodeText, encodingNamed } from './encoding.ts';
import { fileError } from './file-error.ts';
import { STANDARD_STREAM } from './text-file.ts';

const compress = promisify(gzip);

/**
 * Characters collected before they are encoded and written; in a `.gz` file each such piece is a gzip member.
 */
const BUFFERED = 1 << 18;

/** Temporary files of this process that are neither committed nor discarded yet. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/** Where the bytes go; standard output has no handle, and only a regular file a temporary name. */
interface Target {
  readonly path: string;
  readonly handle?: FileHandle;
  readonly temporary?: string;
}

/**
 * A text file that comes into being as a whole or not at all: it is written under a temporary name in the
 * same folder, and takes its own, replacing what had it, with `commit`. Compressed where its name ends in
 * `.gz`. Standard output (`-`) and what is no regular file (a pipe, a device) are written directly.
 *
 * Every method throws `InputError` where the file cannot be written.
 */
export class AtomicFile {
  readonly path: string;
  readonly #encoding: string;
  readonly #target: Target;
  readonly #isCompressed: boolean;
  #text = '';
  #isEmpty = true;

  /** Throws `UsageError` for an unknown encoding. */
  static async create(
    path: string,
    options: { readonly encoding?: string | undefined } = {},
  ): Promise<AtomicFile> {
    const encoding = encodingNamed(options.encoding);
    return new AtomicFile(path, encoding, await explained(path, openTarget(path)));
  }

  private constructor(path: string, encoding: string, target: Target) {
    this.path = path;
    this.#encoding = encoding;
    this.#target = target;
    this.#isCompressed = path.endsWith('.gz');
  }

  /**
   * Adds text, which must not end within a surrogate pair; wait for it before adding more, so that memory
   * stays bounded.
   */
  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= BUFFERED) await this.#flush();
  }

  /** Writes what is left, makes sure that it is on disk, and gives the file its name. */
  async commit(): Promise<void> {
    if (this.#text !== '' || this.#isEmpty) await this.#flush();
    await explained(this.path, commitTarget(this.#target));
  }

  /** Removes what was written; does nothing after `commit`. */
  async discard(): Promise<void> {
    const { handle, temporary } = this.#target;
    await handle?.close();
    if (temporary !== undefined && unfinished.delete(temporary)) await rm(temporary, { force: true });
  }

  async #flush(): Promise<void> {
    const bytes = encodeText(this.#text, this.#encoding, this.path);
    this.#text = '';
    this.#isEmpty = false;
    const all = this.#isCompressed ? await compress(bytes) : bytes;
    await explained(this.path, this.#target.handle?.appendFile(all) ?? writeToStandardOutput(all));
  }
}

async function openTarget(path: string): Promise<Target> {
  if (path === STANDARD_STREAM) return { path };
  const existing = await stat(path).catch(() => undefined);
  if (existing === undefined) return openTemporary(path);
  if (existing.isDirectory())
    throw new InputError('cannot be written: is a folder, expected a file', { file: path });
  if (!existing.isFile()) return { path, handle: await open(path, 'w') };
  await access(path, constants.W_OK);
  // Behind a symbolic link, the file is replaced, not the link; and it keeps its permissions.
  return openTemporary(await realpath(path), existing.mode);
}

async function openTemporary(path: string, mode?: number): Promise<Target> {
  const temporary = join(dirname(path), `.parliament-${randomBytes(6).toString('hex')}.partial`);
  const handle = await open(temporary, 'wx');
  unfinished.add(temporary);
  if (mode !== undefined) await handle.chmod(mode & 0o777);
  return { path, handle, temporary };
}

async function commitTarget({ path, handle, temporary }: Target): Promise<void> {
  if (temporary === undefined) return handle?.close();
  await handle?.sync();
  await handle?.close();
  await rename(temporary, path);
  unfinished.delete(temporary);
}

function writeToStandardOutput(bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

async function explained<T>(path: string, action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    throw fileError(error, path, 'cannot be written');
  }
}
