import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { crc32 } from 'node:zlib';

/** A process, told apart from all others: from one that has its number later, too, and from those of other machines. */
export interface Owner {
  readonly pid: number;
  /** When it started, in ticks of the system's clock; empty where the system does not tell. */
  readonly start: string;
  /** A digest of the boot, and of the space of process numbers (a container has its own), that `pid` belongs to. */
  readonly system: string;
  readonly host: string;
}

const textPattern = /^(\d+)-(\d*)-([0-9a-f]{8})-(.+)$/;

let own: Owner | undefined;

/** This process. */
export function thisProcess(): Owner {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '', system: systemHere(), host: hostname() };
  return own;
}

/** An owner as text that may be part of a file's name. */
export function ownerText({ pid, start, system, host }: Owner): string {
  return `${pid}-${start}-${system}-${encodeURIComponent(host)}`;
}

/** The owner that `ownerText` wrote; undefined for any other text. */
export function ownerOf(text: string): Owner | undefined {
  const [, pid, start = '', system = '', host = ''] = textPattern.exec(text) ?? [];
  if (pid === undefined) return undefined;
  try {
    return { pid: Number(pid), start, system, host: decodeURIComponent(host) };
  } catch {
    return undefined;
  }
}

/**
 * Whether a process is still there. One of another machine cannot be asked: it is taken to be dead when it has
 * given no sign of life for longer than `patience`, in milliseconds.
 */
export function isAlive(owner: Owner, lastSign: number, patience: number): boolean {
  const { host, system } = thisProcess();
  if (owner.host !== host) return Date.now() - lastSign < patience;
  // The machine, or the container, was started anew.
  if (owner.system !== system) return false;
  const start = startOf(owner.pid);
  return start === '' || start === owner.start;
}

/** Undefined where there is no such process; empty where there is one, but the system does not tell its start. */
function startOf(pid: number): string | undefined {
  const status = contentOf(`/proc/${pid}/stat`);
  if (status === undefined) return exists(pid) ? '' : undefined;
  // The name of the program, in parentheses, may have any characters; fields 3 (state) and 22 (start): `proc(5)`.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z' || fields[0] === 'X';
  return isZombie ? undefined : fields[19];
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function systemHere(): string {
  const boot = contentOf('/proc/sys/kernel/random/boot_id') ?? '';
  return crc32(`${boot}${linkAt('/proc/self/ns/pid')}`)
    .toString(16)
    .padStart(8, '0');
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
