import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';
import { needs } from './needs.ts';

/** For tests on real treebanks and on other programs' output, which lie beside the project where they are at all. */
export const needsShared = needs('../shared');

/** A file or folder of theirs: `treebanks/genia/dev.trees`. */
export function sharedPath(...names: readonly string[]): string {
  return join(packageFolder, '..', 'shared', ...names);
}

/** The names of a folder's files, sorted; none where there is no such neighbour. */
export function sharedFiles(...names: readonly string[]): string[] {
  return needsShared.isPresent
    ? readdirSync(sharedPath(...names), { recursive: true, encoding: 'utf8' }).sort()
    : [];
}
