import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** This package's own folder, the same whether the code runs from the sources or from `dist/`. */
export const packageFolder = nearestAbove(import.meta.dirname, 'package.json');

/** @throws Error where no folder from `start` upwards has the file */
function nearestAbove(start: string, file: string): string {
  let folder = start;
  while (!existsSync(join(folder, file))) {
    if (dirname(folder) === folder) throw new Error(`no ${file} in ${start} or above: not the whole package`);
    folder = dirname(folder);
  }
  return folder;
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return version;
}
