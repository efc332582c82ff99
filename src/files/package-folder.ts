import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** This package's own folder, the same whether the code runs from the sources or from `dist/`. */
export const packageFolder = nearestAbove(import.meta.dirname, 'package.json');

function nearestAbove(start: string, file: string): string {
  let folder = start;
  while (!existsSync(join(folder, file))) folder = dirname(folder);
  return folder;
}
