import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError } from './file-error.ts';

/**
 * Makes a folder, and those above it that are missing. (Node's own way to do so never ends where a folder that is
 * there can hold no other, as `/proc` does.)
 *
 * @throws InputError where it cannot be made
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    throw fileError(error, path, 'cannot make this folder');
  }
}

async function make(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !(await exists(dirname(path)))) {
      await make(dirname(path));
      await mkdir(path).catch(unlessFolder(path));
    } else await unlessFolder(path)(error);
  }
}

/** Another process may have made it meanwhile. */
function unlessFolder(path: string): (error: unknown) => Promise<void> {
  return async (error) => {
    if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error;
  };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
