import { join } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';
import { sharedFiles, sharedPath } from './shared.ts';

/** Files of the Penn Treebank sample, wsj_(first) to wsj_(last); none if it is absent. */
export function pennFiles(first: number, last: number): string[] {
  const folder = 'treebanks/ptb-sample/bracketed';
  const number = (name: string) => Number(/\d+/.exec(name)?.[0]);
  const names = sharedFiles(folder).filter((name) => number(name) >= first && number(name) <= last);
  return names.map((name) => sharedPath(folder, name));
}

/** The bracketed files of the bundled treebank. */
export const bundledBrackets: readonly string[] = ['train', 'dev', 'test'].map((part) =>
  join(packageFolder, 'data', 'sample', `${part}.mrg`),
);
