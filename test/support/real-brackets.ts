import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../src/files/package-folder.ts';

const shared = join(packageFolder, '..', 'shared', 'treebanks');

/** Files of the Penn Treebank sample, wsj_(first) to wsj_(last); none where it is absent. */
export function pennFiles(first: number, last: number): string[] {
  const folder = join(shared, 'ptb-sample', 'bracketed');
  if (!existsSync(folder)) return [];
  const number = (name: string) => Number(/\d+/.exec(name)?.[0]);
  const names = readdirSync(folder).filter((name) => number(name) >= first && number(name) <= last);
  return names.sort().map((name) => join(folder, name));
}

/** The bracketed treebanks at hand, with their files: the bundled sample, and more beside the project. */
export function presentBrackets(): [name: string, files: string[]][] {
  const bundled = ['train', 'dev', 'test'].map((part) =>
    join(packageFolder, 'data', 'sample', `${part}.mrg`),
  );
  const genia = join(shared, 'genia', 'dev.trees');
  const all: [string, string[]][] = [
    ['the bundled sample', bundled],
    ['the Penn Treebank sample', pennFiles(1, 199)],
    ['GENIA', existsSync(genia) ? [genia] : []],
  ];
  return all.filter(([, files]) => files.length > 0);
}
