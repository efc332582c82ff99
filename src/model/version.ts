import { packageVersion } from '../files/package-version.ts';
import type { ModelReader } from './model-reader.ts';

/**
 * Throws `InputError` for a model that a newer version of this program has written, patches apart: it may hold
 * settings that this one does not know to look for, and would parse otherwise than it was trained to.
 */
export function checkVersion(model: ModelReader): void {
  const header = model.fields();
  if (!header.has('version')) return;
  const text = header.text('version');
  const written = numbersOf(text) ?? header.refuse('version', 'a version such as 1.2.3');
  const own = packageVersion();
  const [major, minor] = numbersOf(own)!;
  if (written[0] < major || (written[0] === major && written[1] <= minor)) return;
  model.refuse(
    `written by version ${written.join('.')} of Parliament, but this is ${own}: update Parliament`,
  );
}

function numbersOf(version: string): number[] | undefined {
  return /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})\b/.exec(version)?.slice(1).map(Number);
}
