import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from './file-error.ts';

/**
 * The files of a folder and of all below it, also behind symbolic links; a folder that links lead to again is looked
 * into once.
 *
 * @throws InputError where a folder cannot be read
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const seen = new Set<string>();
  const wait = [folder];
  for (let next = wait.pop(); next !== undefined; next = wait.pop()) {
    try {
      const real = await realpath(next);
      if (seen.has(real)) continue;
      seen.add(real);
      for (const name of (await readdir(next)).sort().reverse()) {
        // Nothing where a link leads nowhere.
        const found = await stat(join(next, name)).catch(() => undefined);
        if (found?.isDirectory()) wait.push(join(next, name));
        else if (found?.isFile()) files.push(join(next, name));
      }
    } catch (error) {
      throw fileError(error, next, 'cannot look for files');
    }
  }
  return files;
}
