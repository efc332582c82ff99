import { statSync } from 'node:fs';
import { fileError } from './file-error.ts';

/** Whether a path leads to a regular file; undefined where there is nothing that can be looked at. */
export function isRegularFile(path: string): boolean | undefined {
  try {
    return statSync(path).isFile();
  } catch {
    return undefined;
  }
}

/** How many bytes a file has; throws `InputError` where it cannot be looked at: it may have been removed. */
export function sizeOfFile(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw fileError(error, path, 'cannot be read');
  }
}
