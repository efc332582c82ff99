import {
  accessSync,
  closeSync,
  constants,
  dirname,
  fchmodSync,
  fsyncSync,
  join,
  openSync,
  readdirSync,
  renameSync,
  resolve,
  rmSync,
  statSync,
  writeSync,
} from '../platform/files.ts';
import { onExit } from '../platform/platform.ts';
import { attempt, explaining, targetOf } from './files.ts';
import { isAlive, ownerOf, ownerText, thisProcess } from './owner.ts';

/** Node refuses to read or write more than 2 GiB at a time. */
export const MAX_TRANSFER = 1 << 30;
/** Temporary files of this process that are neither committed nor discarded. */
const unfinished = new Set<string>();
onExit(() => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/**
 * A regular file that is replaced as a whole or not at all: written under a temporary name in the same folder, which `commit`
 * renames once the data are on disk. An existing file stays until then; its permissions are kept. Throws the system's errors
 * (see `fileError`).
 */
export class Replacement {
  private readonly target: string;
  private readonly temporary: string;
  private readonly file: number;
  private isOpen = true;

  constructor(path: string) {
    // Checked before writing: otherwise a name that is too long, say, would be refused only at the end.
    const replaces = statSync(path, { throwIfNoEntry: false }) !== undefined;
    // A symbolic link's target is replaced, not the link.
    this.target = targetOf(path);
    if (replaces) accessSync(this.target, constants.W_OK);
    const folder = dirname(this.target);
    removeAbandoned(folder);
    // A unique name for an unfinished file that identifies its owner; of several writers, the last one wins.
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
    this.temporary = join(folder, `.parliament-${random}-${ownerText(thisProcess())}.partial`);
    this.file = openSync(this.temporary, 'wx');
    unfinished.add(this.temporary);
    if (replaces) fchmodSync(this.file, statSync(this.target).mode & 0o777);
  }

  write(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length; )
      offset += writeSync(this.file, bytes, offset, Math.min(bytes.length - offset, MAX_TRANSFER));
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

/** Replaces a file as a whole or not at all; throws `InputError` if it cannot be written. */
export function replaceFile(path: string, chunks: Iterable<Uint8Array>): void {
  explaining(path, 'cannot be written', () => {
    const file = new Replacement(path);
    try {
      for (const chunk of chunks) file.write(chunk);
      file.commit();
    } finally {
      file.discard();
    }
  });
}

/** Flushes a folder, so that a rename survives a power cut; skipped where folders cannot be opened. */
function syncFolder(path: string): void {
  const folder = attempt(() => openSync(path, 'r'));
  if (folder === undefined) return;
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Milliseconds without a write after which a remote process counts as dead; it may wait for input. */
const TIMEOUT = 24 * 3_600_000;
const namePattern = /^\.parliament-([0-9a-f]{12})-(.+)\.partial$/;
const cleared = new Set<string>();

/** Removes, once per process, the unfinished files of killed processes. */
export function removeAbandoned(folder: string): void {
  if (cleared.has(resolve(folder))) return;
  cleared.add(resolve(folder));
  // A folder that cannot be read is not cleared: writing does not depend on it.
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const owner = ownerOf(namePattern.exec(name)?.[2] ?? '');
    if (owner === undefined) continue;
    const path = join(folder, name);
    // Throws if it is already gone, or belongs to another user.
    attempt(() => isAlive(owner, statSync(path).mtimeMs, TIMEOUT) || rmSync(path, { force: true }));
  }
}
