import { hostname, readFileSync, readlinkSync } from '../platform/files.ts';
import { crc32 } from '../platform/platform.ts';
import { attempt } from './files.ts';

/** A process, identified across machines and across reuse of its number. */
export interface Owner {
  readonly pid: number;
  /** Its start time in clock ticks; empty if the system does not provide it. */
  readonly start: string;
  /** A digest of the system's boot. */
  readonly boot: string;
  /** A digest of the process namespace that `pid` belongs to: a container has its own. */
  readonly namespace: string;
  readonly host: string;
}

/** In files of version 1.0.0-rc.1 one digest stands for boot and namespace together: for another boot. */
const textPattern = /^(\d+)-(\d*)-([0-9a-f]{8})([0-9a-f]{8})?-(.+)$/;
let own: Owner | undefined;

export function thisProcess(): Owner {
  own ??= {
    pid: process.pid,
    start: startOf(process.pid) ?? '',
    boot: digestOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')),
    namespace: digestOf(() => readlinkSync('/proc/self/ns/pid')),
    host: hostname(),
  };
  return own;
}

/** An owner as part of a file name. */
export const ownerText = ({ pid, start, boot, namespace, host }: Owner): string =>
  `${pid}-${start}-${boot}${namespace}-${encodeURIComponent(host)}`;

/** The reverse of `ownerText`; undefined for any other text. */
export function ownerOf(text: string): Owner | undefined {
  const [, pid, start = '', boot = '', namespace = '', host = ''] = textPattern.exec(text) ?? [];
  if (pid === undefined) return undefined;
  return attempt(() => ({ pid: Number(pid), start, boot, namespace, host: decodeURIComponent(host) }));
}

/** Whether a process is alive; if it cannot be seen from here, whether its file was touched in the last `timeout` ms. */
export function isAlive(owner: Owner, lastTouched: number, timeout: number): boolean {
  const { host, boot, namespace } = thisProcess();
  const wasTouched = Date.now() - lastTouched < timeout;
  if (owner.host !== host) return wasTouched;
  // The machine was restarted.
  if (owner.boot !== boot) return false;
  // In another container.
  if (owner.namespace !== namespace) return wasTouched;
  const start = startOf(owner.pid);
  return start === '' || start === owner.start;
}

/** The start of a process; undefined if there is no such process, empty if the system does not provide it. */
function startOf(pid: number): string | undefined {
  const status = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (status === undefined) return exists(pid) ? '' : undefined;
  // The name, in parentheses, may have any characters; then fields 3 (state) and 22 (start) of `proc(5)`.
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

function digestOf(read: () => string): string {
  return crc32(attempt(read) ?? '')
    .toString(16)
    .padStart(8, '0');
}
