import { fstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * What tells regular files apart, however their paths are written: the same for two paths that lead to one file,
 * through symbolic and hard links; where there is none yet, for two that would. Undefined for what is no regular
 * file (a device, a pipe), and for what cannot be looked at.
 *
 * @param file a path, or the number of an open file
 */
export function fileIdentity(file: string | number): string | undefined {
  try {
    const stats =
      typeof file === 'number'
        ? fstatSync(file, { bigint: true })
        : statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined) return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
    return typeof file === 'number' ? undefined : join(realpathSync(dirname(file)), basename(file));
  } catch {
    return undefined;
  }
}

/** Whether two paths lead to one regular file, or would. */
export function isSameFile(a: string, b: string): boolean {
  const identity = fileIdentity(a);
  return identity !== undefined && identity === fileIdentity(b);
}
