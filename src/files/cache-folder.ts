import { InputError } from '../errors.ts';
import { homedir, join, platform, resolve } from '../platform/files.ts';

/** `$PARLIAMENT_HOME`, or else a folder in the operating system's cache folder; throws `InputError` without a home folder. */
export function cacheFolder(): string {
  if (process.env.PARLIAMENT_HOME) return resolve(process.env.PARLIAMENT_HOME);
  let home: string;
  try {
    home = homedir();
  } catch {
    throw noHome();
  }
  return join(systemCache(home), 'parliament', ...(platform() === 'win32' ? ['Cache'] : []));
}

export const noHome = (): InputError =>
  new InputError('no home folder for treebanks: set PARLIAMENT_HOME to a folder');

/** On Linux by the XDG Base Directory Specification. */
function systemCache(home: string): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (platform() === 'win32') return LOCALAPPDATA || join(home, 'AppData', 'Local');
  if (platform() === 'darwin') return join(home, 'Library', 'Caches');
  return resolve(XDG_CACHE_HOME || join(home, '.cache'));
}
