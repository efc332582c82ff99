import { join } from 'node:path';
import { packageFolder } from '../../src/files/package-folder.ts';
import { needsShared, sharedFiles, sharedPath } from './shared.ts';

/** Files of the Penn Treebank sample, wsj_(first) to wsj_(last); none where it is absent. */
export function pennFiles(first: number, last: number): string[] {
  const folder = 'treebanks/ptb-sample/bracketed';
  const number = (name: string) => Number(/\d+/.exec(name)?.[0]);
  const names = sharedFiles(folder).filter((name) => number(name) >= first && number(name) <= last);
  return names.map((name) => sharedPath(folder, name));
}

/** The bracketed treebanks at hand, with their files: the bundled sample, and more beside the project. */
export function presentBrackets(): [name: string, files: string[]][] {
  const bundled = ['train', 'dev', 'test'].map((part) =>
    join(packageFolder, 'data', 'sample', `${part}.mrg`),
  );
  const all: [string, string[]][] = [
    ['the bundled sample', bundled],
    ['the Penn Treebank sample', pennFiles(1, 199)],
    ['GENIA', needsShared.isPresent ? [sharedPath('treebanks/genia/dev.trees')] : []],
  ];
  return all.filter(([, files]) => files.length > 0);
}
