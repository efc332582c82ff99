import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { fileError } from './files.ts';
import { isAlive, type Owner, ownerOf, ownerText, thisProcess } from './owner.ts';

/** How often the locks of this process are touched, as a sign of life for other machines; in milliseconds. */
const TOUCHED = 60_000;

/** How long an owner on another machine may give no sign of life: training may be busy for minutes. */
const PATIENCE = 15 * TOUCHED;

/** How long it may take an owner to write its name into the file that it has made. */
const WRITING = 10_000;

/** The locks that this process holds. */
const held = new Set<string>();
let touching: NodeJS.Timeout | undefined;
process.on('exit', () => {
  for (const lock of held) rmSync(lock, { force: true });
});

/** The right to work on something that only one process may work on at a time. */
export interface Claim {
  /** Gives it up; without it, it ends with the process, however that ends. */
  release(): void;
}

/**
 * Claims a path, which need not exist, for this process; undefined where another owner has claimed it that
 * lives. What says so is a file beside it, `PATH.lock`: a lock whose owner is dead is taken over, by one process
 * only.
 *
 * @throws InputError where that file cannot be written
 */
export function claim(path: string): Claim | undefined {
  const lock = lockOf(path);
  while (!create(lock)) {
    const found = look(lock);
    if (found === undefined) continue;
    if (found.isHeld || !takeAway(lock, found.text)) return undefined;
  }
  keep(lock);
  return { release: () => release(lock) };
}

/** Who has claimed a path; undefined where nobody has, or where the lock does not say who. */
export function claimantOf(path: string): Owner | undefined {
  const found = look(lockOf(path));
  return found?.isHeld ? ownerOf(found.text) : undefined;
}

/** The file that says who has claimed a path. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Makes a lock of this process; false where there is one. */
function create(lock: string): boolean {
  try {
    const file = openSync(lock, 'wx');
    try {
      writeSync(file, ownerText(thisProcess()));
    } catch (error) {
      rmSync(lock, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fileError(error, lock, 'cannot be written');
  }
}

interface Found {
  readonly text: string;
  readonly isHeld: boolean;
}

/** What a lock says; undefined where there is none. */
function look(lock: string): Found | undefined {
  try {
    const text = readFileSync(lock, 'utf8');
    const { mtimeMs } = statSync(lock);
    if (text === '') return { text, isHeld: Date.now() - mtimeMs < WRITING };
    const owner = ownerOf(text);
    // What is no lock of ours is somebody's file.
    return { text, isHeld: owner === undefined || isAlive(owner, mtimeMs, PATIENCE) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(error, lock, 'cannot be read');
    const isLinkToNothing = lstatSync(lock, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLinkToNothing ? { text: '', isHeld: true } : undefined;
  }
}

/**
 * Removes the lock of a dead owner, unless another process is at it. Who removes it holds a claim to do so, and
 * looks again: another may have done it meanwhile, and hold the lock now.
 */
function takeAway(lock: string, text: string): boolean {
  const removal = claim(lock);
  if (removal === undefined) return false;
  try {
    if (look(lock)?.text === text) remove(lock);
  } finally {
    removal.release();
  }
  return true;
}

function keep(lock: string): void {
  held.add(lock);
  touching ??= setInterval(touch, TOUCHED).unref();
}

function touch(): void {
  const now = new Date();
  for (const lock of held) {
    try {
      utimesSync(lock, now, now);
    } catch {
      // Somebody has removed it: there is nothing to keep alive.
    }
  }
}

function release(lock: string): void {
  if (!held.delete(lock)) return;
  remove(lock);
  if (held.size > 0) return;
  clearInterval(touching);
  touching = undefined;
}

function remove(lock: string): void {
  try {
    rmSync(lock, { force: true });
  } catch (error) {
    throw fileError(error, lock, 'cannot be removed');
  }
}
