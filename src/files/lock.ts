import { lstatSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from '../platform/files.ts';
import { onExit } from '../platform/platform.ts';
import { attempt, explaining, fileError } from './files.ts';
import { isAlive, type Owner, ownerOf, ownerText, thisProcess } from './owner.ts';

/** Milliseconds between touches of this process's locks, which show other machines that it is alive. */
const TOUCHED = 60_000;
/** Milliseconds without a touch after which a remote owner counts as dead; training may block for minutes. */
const TIMEOUT = 15 * TOUCHED;
/** Milliseconds that an owner may take to write its name into a new lock. */
const WRITING = 10_000;
const held = new Set<string>();
let touching: NodeJS.Timeout | undefined;
onExit(() => {
  for (const lock of held) {
    if (isOwn(lock)) rmSync(lock, { force: true });
  }
});

export interface Claim {
  /** Releases the lock, which otherwise ends with the process. */
  release(): void;
}

/** Claims a path by a lock file, `PATH.lock`; undefined if a living process holds it. Throws `InputError`. */
export function claim(path: string): Claim | undefined {
  const lock = lockOf(path);
  while (!create(lock)) {
    const found = look(lock);
    if (found === undefined) continue;
    if (found.isHeld || !takeAway(lock, found.text)) return undefined;
  }
  held.add(lock);
  touching ??= setInterval(touch, TOUCHED).unref();
  return { release: () => release(lock) };
}

/** The owner of a path's lock; undefined if there is no lock or it names no owner. */
export function claimantOf(path: string): Owner | undefined {
  const found = look(lockOf(path));
  return found?.isHeld ? ownerOf(found.text) : undefined;
}

export const lockOf = (path: string): string => `${path}.lock`;

function create(lock: string): boolean {
  try {
    writeFileSync(lock, ownerText(thisProcess()), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // On a full disk the file is there, but without its owner.
    attempt(() => rmSync(lock, { force: true }));
    throw fileError(error, lock, 'cannot be written');
  }
}

function look(lock: string): { readonly text: string; readonly isHeld: boolean } | undefined {
  try {
    const text = readFileSync(lock, 'utf8');
    const { mtimeMs } = statSync(lock);
    if (text === '') return { text, isHeld: Date.now() - mtimeMs < WRITING };
    const owner = ownerOf(text);
    // A file without an owner's name is not a lock, and is left alone.
    return { text, isHeld: owner === undefined || isAlive(owner, mtimeMs, TIMEOUT) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(error, lock, 'cannot be read');
    const isLinkToNothing = lstatSync(lock, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLinkToNothing ? { text: '', isHeld: true } : undefined;
  }
}

/** Removes a dead owner's lock, under a lock of its own: another process may have replaced it in the meantime. */
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

function touch(): void {
  const now = new Date();
  for (const lock of held) {
    // Throws if somebody has removed it since.
    if (isOwn(lock)) attempt(() => utimesSync(lock, now, now));
  }
}

function release(lock: string): void {
  if (!held.delete(lock)) return;
  if (isOwn(lock)) remove(lock);
  if (held.size > 0) return;
  clearInterval(touching);
  touching = undefined;
}

/** Whether a lock names this process: one that was frozen for long may have lost it to another. */
const isOwn = (lock: string): boolean =>
  attempt(() => readFileSync(lock, 'utf8')) === ownerText(thisProcess());

const remove = (lock: string): void =>
  explaining(lock, 'cannot be removed', () => rmSync(lock, { force: true }));
