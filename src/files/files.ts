import { InputError } from '../errors.ts';
import {
  basename,
  closeSync,
  createReadStream,
  dirname,
  existsSync,
  fstatSync,
  getSystemErrorMap,
  join,
  mkdir,
  openSync,
  piped,
  readdir,
  readlinkSync,
  realpath,
  realpathSync,
  resolve,
  stat,
  statSync,
} from '../platform/files.ts';
import { sha256 } from '../platform/platform.ts';

const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'is a folder, expected a file',
  ENOTDIR: 'part of the path is not a folder',
  EACCES: 'permission denied',
};

/** Turns a file-system error into the user's line, `path: problem: reason`; returns others unchanged. */
export function fileError(error: unknown, path: string, problem: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === undefined || errno === undefined) return error;
  const reason = explanations[code] ?? getSystemErrorMap().get(errno)?.[1] ?? code;
  return new InputError(`${problem}: ${reason}`, { file: path });
}

/** Runs `action`; rethrows its file-system errors as by `fileError`. */
export function explaining<T>(path: string, problem: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fileError(error, path, problem);
  }
}

/** Opens a file for reading, and closes it after `use`; throws `InputError` if it cannot be read. */
export function reading<T>(path: string, use: (file: number) => T): T {
  return explaining(path, 'cannot be read', () => {
    const file = openSync(path, 'r');
    try {
      return use(file);
    } finally {
      closeSync(file);
    }
  });
}

/** The same as `explaining` for a promise. */
export const explained = <T>(action: Promise<T>, path: string, problem: string): Promise<T> =>
  action.catch((error) => {
    throw fileError(error, path, problem);
  });

/** The result of `action`; undefined if it throws. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Whether a path is a regular file; undefined if nothing is found there. */
export const isRegularFile = (path: string): boolean | undefined => attempt(() => statSync(path).isFile());

export const isFolder = (path: string): boolean => attempt(() => statSync(path).isDirectory()) ?? false;

/** The size of a file in bytes; throws `InputError` if it cannot be read. */
export const sizeOfFile = (path: string): number =>
  explaining(path, 'cannot be read', () => statSync(path).size);

/** The file that a path leads to through symbolic links, also where it is not yet there. */
export function targetOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const link = attempt(() => readlinkSync(path));
  return link === undefined ? path : targetOf(resolve(realpathSync(dirname(path)), link));
}

/** Identifies a regular file, through links, or the place of a new file; undefined for anything else. */
export function fileIdentity(file: string | number): string | undefined {
  return attempt(() => {
    const stats =
      typeof file === 'number'
        ? fstatSync(file, { bigint: true })
        : statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined) return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
    if (typeof file === 'number') return undefined;
    const target = targetOf(file);
    return join(realpathSync(dirname(target)), basename(target));
  });
}

export function isSameFile(a: string, b: string): boolean {
  const identity = fileIdentity(a);
  return identity !== undefined && identity === fileIdentity(b);
}

/** SHA-256 of a file, in lower-case hexadecimal; throws `InputError` if it cannot be read. */
export async function fileDigest(file: string): Promise<string> {
  const hash = sha256();
  await explained(piped(createReadStream(file), hash), file, 'cannot be read');
  return hash.digest('hex');
}

/**
 * Makes a folder and its missing ancestors; throws `InputError`. (Node's `recursive` option never returns
 * below a folder that can hold no other, such as `/proc`.)
 */
export const makeFolder = (path: string): Promise<void> =>
  explained(make(path), path, 'cannot make this folder');

async function make(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return rethrowUnlessFolder(path)(error);
    // The folder above is missing, or was until another process made it a moment ago.
    if ((await stat(dirname(path)).catch(() => undefined)) === undefined) await make(dirname(path));
    await mkdir(path).catch(rethrowUnlessFolder(path));
  }
}

/** Another process may have made it meanwhile. */
function rethrowUnlessFolder(path: string): (error: unknown) => Promise<void> {
  return async (error) => {
    if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error;
  };
}

/** The files of a folder and of all below it, links followed, each folder once; throws `InputError`. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = new Set<string>();
  const stack = [folder];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    try {
      const real = await realpath(next);
      if (folders.has(real)) continue;
      folders.add(real);
      for (const name of (await readdir(next)).sort().reverse()) {
        // Undefined for a broken link.
        const found = await stat(join(next, name)).catch(() => undefined);
        if (found?.isDirectory()) stack.push(join(next, name));
        else if (found?.isFile()) files.push(join(next, name));
      }
    } catch (error) {
      throw fileError(error, next, 'cannot look for files');
    }
  }
  return files;
}
