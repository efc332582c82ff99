import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError, UsageError } from '../../src/errors.ts';
import { fileError } from '../../src/files/file-error.ts';

/**
 * Refuses, before hours of training, a path to which the model could not be written, or where it would
 * replace what it is learnt from.
 */
export function checkModelPath(path: string, inputs: readonly (string | undefined)[]): void {
  const folder = dirname(path);
  try {
    if (!statSync(folder).isDirectory()) throw new InputError('is no folder', { file: folder });
    accessSync(folder, constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
  } catch (error) {
    throw fileError(error, path, 'cannot be written here');
  }
  if (!existsSync(path)) return;
  if (!statSync(path).isFile())
    throw new InputError('not a regular file, so no place for a model', { file: path });
  if (inputs.some((input) => input !== undefined && isSameFile(input, path))) {
    throw new UsageError(`--model ${path} would replace the treebank it is learnt from`);
  }
}

/** Both paths lead to one file, which exists. */
export function isSameFile(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);
}
