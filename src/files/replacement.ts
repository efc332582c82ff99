import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isAlive, type Owner, ownerOf, ownerText, thisProcess } from './owner.ts';

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
  private readonly target: string;
  private readonly temporary: string;
  private readonly file: number;
  private isOpen = true;

  constructor(path: string) {
    // Looked at before it is written: a name that is too long, say, would else be refused at the end.
    const replaces = statSync(path, { throwIfNoEntry: false }) !== undefined;
    this.target = targetOf(path);
    if (replaces) accessSync(this.target, constants.W_OK);
    const folder = dirname(this.target);
    removeAbandoned(folder);
    this.temporary = join(folder, temporaryName());
    this.file = openSync(this.temporary, 'wx');
    unfinished.add(this.temporary);
    if (replaces) fchmodSync(this.file, statSync(this.target).mode & 0o777);
  }

  write(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length; ) {
      offset += writeSync(this.file, bytes, offset, Math.min(bytes.length - offset, MAX_TRANSFER));
    }
  }

  commit(): void {
    fsyncSync(this.file);
    this.close();
    renameSync(this.temporary, this.target);
    unfinished.delete(this.temporary);
    syncFolder(dirname(this.target));
  }

  /** Removes what was written; does nothing after `commit`. */
  discard(): void {
    this.close();
    if (unfinished.delete(this.temporary)) rmSync(this.temporary, { force: true });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }
}

/** Behind a symbolic link the file is replaced, not the link. */
export function targetOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
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

/** How long a process on another machine may not have written to its file: it may wait for its input. */
const PATIENCE = 24 * 3_600_000;

const namePattern = /^\.parliament-([0-9a-f]{12})-(.+)\.partial$/;

/**
 * The name of a file that is not whole yet: one that no other process has, so that several may write to one place
 * (the last wins), and that tells whose it is.
 */
function temporaryName(): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
  return `.parliament-${random}-${ownerText(thisProcess())}.partial`;
}

/** The folders that this process has been through. */
const cleared = new Set<string>();

/** Removes from a folder, once in a process, what processes that were killed have left there unfinished. */
export function removeAbandoned(folder: string): void {
  if (cleared.has(resolve(folder))) return;
  cleared.add(resolve(folder));
  for (const name of namesIn(folder)) {
    const owner = ownerOf(namePattern.exec(name)?.[2] ?? '');
    if (owner !== undefined) removeAfter(owner, join(folder, name));
  }
}

function removeAfter(owner: Owner, path: string): void {
  try {
    if (!isAlive(owner, statSync(path).mtimeMs, PATIENCE)) rmSync(path, { force: true });
  } catch {
    // It is gone by now, or another user's to remove.
  }
}

/** None where the folder cannot be looked through: writing does not depend on it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
