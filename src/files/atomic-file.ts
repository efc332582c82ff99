import { open, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { InputError } from '../errors.ts';
import { countLines, encodeText, encodingNamed } from './encoding.ts';
import { explained } from './files.ts';
import { Replacement } from './replacement.ts';
import { STANDARD_STREAM } from './text-file.ts';

const compress = promisify(gzip);
/** Characters collected before they are encoded and written; in a `.gz` file each piece is a gzip member. */
const BUFFERED = 1 << 18;
const UNWRITTEN = 'cannot be written';
type Target = { write(bytes: Buffer): Promise<void>; commit(): Promise<void>; discard(): Promise<void> };

/** Writes a text file as a whole or not at all, gzipped if named `.gz`; `-`, pipes and devices are written directly. */
export class AtomicFile {
  private readonly isCompressed: boolean;
  private text = '';
  /** The line where `text` begins. */
  private line = 1;
  private isEmpty = true;

  /** Throws `UsageError` for an unknown encoding. */
  static async create(
    path: string,
    options: { readonly encoding?: string | undefined } = {},
  ): Promise<AtomicFile> {
    const name = encodingNamed(options.encoding);
    return new AtomicFile(path, name, await explained(targetAt(path), path, UNWRITTEN));
  }

  /** Writes a file by `fill`; if that throws, an existing file stays unchanged. */
  static async writeWhole<T>(
    path: string,
    fill: (file: AtomicFile) => Promise<T>,
    options?: Parameters<typeof AtomicFile.create>[1],
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
  if (path === STANDARD_STREAM) return standardOutput;
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory())
    throw new InputError('cannot be written: is a folder, expected a file', { file: path });
  return existing === undefined || existing.isFile() ? replacing(path) : direct(path);
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

const standardOutput: Target = {
  write: (bytes) =>
    new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    }),
  commit: async () => undefined,
  discard: async () => undefined,
};
