import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';
import { needs } from './needs.ts';

/** For tests on real treebanks and other programs' output, which some machines have in a folder beside the project. */
export const needsShared = needs('../shared');

/** The path of a file or folder in that folder: `treebanks/genia/dev.trees`. */
export function sharedPath(...names: readonly string[]): string {
  return join(packageFolder, '..', 'shared', ...names);
}

/** The sorted names of a folder's files; none if the folder is missing. */
export function sharedFiles(...names: readonly string[]): string[] {
  return needsShared.isPresent
    ? readdirSync(sharedPath(...names), { recursive: true, encoding: 'utf8' }).sort()
    : [];
}
