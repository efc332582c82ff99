import { getSystemErrorMap } from 'node:util';
import { InputError } from '../errors.ts';

/** What went wrong with a file, in a user's words where the system's are not. */
const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'is a folder, expected a file',
  ENOTDIR: 'part of the path is not a folder',
  EACCES: 'permission denied',
};

/**
 * An error thrown by the file system as the one line a user sees: `path: problem: reason`.
 * Errors that did not come from the system are returned as they are.
 */
export function fileError(error: unknown, path: string, problem: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === undefined || errno === undefined) return error;
  const reason = explanations[code] ?? getSystemErrorMap().get(errno)?.[1] ?? code;
  return new InputError(`${problem}: ${reason}`, { file: path });
}
