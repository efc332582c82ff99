import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../src/errors.ts';
import { explaining, makeFolder } from '../src/files/files.ts';

/** Runs a job with a temporary folder, which is removed afterwards. */
export function withTemporaryFolder<T>(job: (folder: string) => Promise<T>): Promise<T> {
  return withNewFolder(join(tmpdir(), 'parliament-'), job);
}

/** Makes a folder that `fill` fills, as a whole or not at all; throws `UsageError` if it exists. */
export async function makeFilledFolder<T>(path: string, fill: (folder: string) => Promise<T>): Promise<T> {
  if (existsSync(path)) throw new UsageError(`${path}: already exists`);
  const target = resolve(path);
  await makeFolder(dirname(target));
  return withNewFolder(`${target}.`, async (unfinished) => {
    const filled = await fill(unfinished);
    // Temporary folders are private; others may read this one.
    chmodSync(unfinished, 0o755);
    explaining(path, 'cannot make this folder', () => renameSync(unfinished, target));
    return filled;
  });
}

/** Removes the folder, if it is still there, when the job ends, or the process: by Ctrl-C, for example. */
async function withNewFolder<T>(prefix: string, job: (folder: string) => Promise<T>): Promise<T> {
  const folder = explaining(dirname(prefix), 'cannot make a folder here', () => mkdtempSync(prefix));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on('exit', remove);
  try {
    return await job(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
