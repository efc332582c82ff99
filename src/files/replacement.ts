import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Node refuses to read or write more than 2 GiB at a time. */
export const MAX_TRANSFER = 1 << 30;

/** Temporary files of this process that are neither committed nor discarded yet. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/**
 * A regular file that comes into being as a whole or not at all: it is written under a temporary name in the
 * same folder, and takes its own with `commit`, when it is safely on disk. A file that has the name stays as
 * it was until then, and leaves its permissions.
 *
 * Throws the system's errors as they are; `fileError` makes them a user's.
 */
export class Replacement {
  readonly #target: string;
  readonly #temporary: string;
  readonly #file: number;
  #isOpen = true;

  /**
   * @param temporaryName where it is written, in the folder of the target given; by default a name of its own
   */
  constructor(path: string, temporaryName: (target: string) => string = uniqueName) {
    const replaces = existsSync(path);
    this.#target = targetOf(path);
    if (replaces) accessSync(this.#target, constants.W_OK);
    this.#temporary = temporaryName(this.#target);
    this.#file = openSync(this.#temporary, 'w');
    unfinished.add(this.#temporary);
    if (replaces) fchmodSync(this.#file, statSync(this.#target).mode & 0o777);
  }

  write(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length; ) {
      offset += writeSync(this.#file, bytes, offset, Math.min(bytes.length - offset, MAX_TRANSFER));
    }
  }

  commit(): void {
    fsyncSync(this.#file);
    this.#close();
    renameSync(this.#temporary, this.#target);
    unfinished.delete(this.#temporary);
    syncFolder(dirname(this.#target));
  }

  /** Removes what was written; does nothing after `commit`. */
  discard(): void {
    this.#close();
    if (unfinished.delete(this.#temporary)) rmSync(this.#temporary, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/** Behind a symbolic link the file is replaced, not the link. */
export function targetOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** A name that no other process has, so that several may write to one place: the last wins. */
function uniqueName(target: string): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
  return join(dirname(target), `.parliament-${random}.partial`);
}

/**
 * Makes a rename last through a power cut. Where a folder cannot be opened (on Windows, say), that is the
 * system's.
 */
function syncFolder(path: string): void {
  let folder: number;
  try {
    folder = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
