import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive, type Owner, ownerOf, ownerText, thisProcess } from './owner.ts';

/** How long a process on another machine may not have written to its file: it may wait for its input. */
const PATIENCE = 24 * 3_600_000;

const namePattern = /^\.parliament-([0-9a-f]{12})-(.+)\.partial$/;

/**
 * The name of a file that is not whole yet: one that no other process has, so that several may write to one place
 * (the last wins), and that tells whose it is.
 */
export function temporaryName(): string {
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
