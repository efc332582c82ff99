import { appendFile } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { InputError, UsageError } from '../errors.ts';
import { existsSync } from '../platform/files.ts';
import { countLines, encodeText, encodingNamed } from './encoding.ts';
import { explained, fileIdentity } from './files.ts';
import { Replacement } from './replacement.ts';
import { STANDARD_STREAM } from './text-file.ts';

const compress = promisify(gzip);
const appendTo = promisify(appendFile);
/** Characters collected before they are encoded and written; in a `.gz` file each piece is a gzip member. */
const BUFFERED = 1 << 18;
const UNWRITTEN = 'cannot be written';
type Target = { write(bytes: Buffer): Promise<void>; commit(): Promise<void>; discard(): Promise<void> };

export interface OutputOptions {
  readonly encoding?: string | undefined;
  /** Paths of the inputs, which the output must not replace. */
  readonly inputs?: readonly string[] | undefined;
}

/** Whether a path means standard output: `-`, or a name that the system has for it. */
export const isStandardOutput = (path: string): boolean => path === STANDARD_STREAM || openFileAt(path) === 1;

/** The descriptor that a path stands for, as of a shell's `3>> file`; undefined for other paths. */
function openFileAt(path: string): number | undefined {
  const [, name, number] = /^\/(?:dev\/(stdout|stderr)|(?:dev|proc\/self)\/fd\/(\d+))$/.exec(path) ?? [];
  if (name !== undefined) return name === 'stdout' ? 1 : 2;
  return number === undefined ? undefined : Number(number);
}

/** The input that an output would replace, also through links; `-` is standard input or output. */
export function replacedInput(output: string, inputs: readonly string[]): string | undefined {
  const written = fileIdentity(output === STANDARD_STREAM ? 1 : output);
  const isWritten = (input: string) =>
    input === STANDARD_STREAM
      ? fileIdentity(0) === written
      : existsSync(input) && fileIdentity(input) === written;
  return written === undefined ? undefined : inputs.find(isWritten);
}

/**
 * Writes a text file as a whole or not at all, gzipped if named `.gz`; `-`, pipes, devices and files that are already open
 * (`/dev/fd/3`) are written directly.
 */
export class AtomicFile {
  private readonly isCompressed: boolean;
  private text = '';
  /** The line where `text` begins. */
  private line = 1;
  private isEmpty = true;

  /** Throws `UsageError` for an unknown encoding, and if the file is one of the inputs. */
  static async create(path: string, { encoding, inputs = [] }: OutputOptions = {}): Promise<AtomicFile> {
    const name = encodingNamed(encoding);
    const input = replacedInput(path, inputs);
    if (input !== undefined) throw new UsageError(`the output ${path} would replace the input ${input}`);
    return new AtomicFile(path, name, await explained(targetAt(path), path, UNWRITTEN));
  }

  /** Writes a file by `fill`; if that throws, an existing file stays unchanged. */
  static async writeWhole<T>(
    path: string,
    fill: (file: AtomicFile) => Promise<T>,
    options?: OutputOptions,
  ): Promise<T> {
    const file = await AtomicFile.create(path, options);
    try {
      const result = await fill(file);
      await file.commit();
      return result;
    } finally {
      await file.discard();
    }
  }

  private constructor(
    readonly path: string,
    private readonly encoding: string,
    private readonly target: Target,
  ) {
    this.isCompressed = path.endsWith('.gz');
  }

  /** Adds text that does not end within a surrogate pair; await it, so that memory stays bounded. */
  async write(text: string): Promise<void> {
    this.text += text;
    if (this.text.length >= BUFFERED) await this.flush();
  }

  /** Writes the buffered text, flushes the file to disk, and renames it to its path. */
  async commit(): Promise<void> {
    if (this.text !== '' || this.isEmpty) await this.flush();
    await explained(this.target.commit(), this.path, UNWRITTEN);
  }

  /** Removes what was written; does nothing after `commit`. */
  async discard(): Promise<void> {
    await this.target.discard();
  }

  private async flush(): Promise<void> {
    const bytes = encodeText(this.text, this.encoding, { file: this.path, line: this.line });
    this.line += countLines(this.text, this.text.length);
    this.text = '';
    this.isEmpty = false;
    const all = this.isCompressed ? await compress(bytes) : bytes;
    await explained(this.target.write(all), this.path, UNWRITTEN);
  }
}

export async function writeTextFile(path: string, text: string, encoding?: string): Promise<void> {
  await AtomicFile.writeWhole(path, (file) => file.write(text), { encoding });
}

async function targetAt(path: string): Promise<Target> {
  if (isStandardOutput(path)) return standardOutput;
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory())
    throw new InputError('cannot be written: is a folder, expected a file', { file: path });
  if (existing !== undefined && !existing.isFile()) return direct(path);
  const openFile = existing && openFileAt(path);
  return openFile === undefined ? replacing(path) : toOpenFile(openFile);
}

function replacing(path: string): Target {
  const file = new Replacement(path);
  return {
    write: async (bytes) => file.write(bytes),
    commit: async () => file.commit(),
    discard: async () => file.discard(),
  };
}

async function direct(path: string): Promise<Target> {
  const handle = await open(path, 'w');
  const close = () => handle.close();
  return { write: (bytes) => handle.appendFile(bytes), commit: close, discard: close };
}

const staysOpen = { commit: async () => undefined, discard: async () => undefined };
/** Writes from the current position on, which others that have the file open share. */
const toOpenFile = (file: number): Target => ({ write: (bytes) => appendTo(file, bytes), ...staysOpen });

const standardOutput: Target = {
  write: (bytes) =>
    new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    }),
  ...staysOpen,
};
