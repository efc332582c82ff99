import { InputError } from '../errors.ts';
import { basename, readSync } from '../platform/files.ts';
import { sha256 } from '../platform/platform.ts';
import { isRegularFile, reading } from './files.ts';

/** A file that an option names; its digest, not its path, identifies it. */
export interface GivenFile {
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
  /** Character encoding of a text; absent: UTF-8. */
  readonly encoding?: string | undefined;
}

const CHUNK = 1 << 20;

/** Digests a file; throws `InputError` if it cannot be read, and for pipes, which could not be read again. */
export function givenFile(path: string): GivenFile {
  if (isRegularFile(path) === false)
    throw new InputError('a folder, a pipe or a device, expected a file', { file: path });
  const hash = sha256();
  reading(path, (file) => {
    const chunk = new Uint8Array(CHUNK);
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      hash.update(chunk.subarray(0, read));
  });
  return { path, digest: hash.digest('hex') };
}

/** The options that name files. */
const fileOptions = ['vectors', 'encoder', 'text'] as const;

/** Replaces the values of the options that name files. */
export function withFilesOf(options: object, replace: (file: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries(options).map(([name, value]) => {
    const isFile = value !== undefined && fileOptions.some((option) => option === name);
    return [name, isFile ? replace(value) : value];
  });
  return Object.fromEntries(entries);
}

/** Options for a model's header, with file names but no folders: the same training gives the same bytes anywhere. */
export function withoutFolders(options: unknown): unknown {
  if (typeof options !== 'object' || options === null) return options;
  if (Array.isArray(options)) return options.map(withoutFolders);
  if ('path' in options && 'digest' in options)
    return { file: basename(options.path as string), digest: options.digest };
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, withoutFolders(value)]));
}
