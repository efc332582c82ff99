import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';

/** A ```ts fence of a page of the documentation. */
export interface DocumentedCode {
  /** The file that it is said to be: ``## The parser: `parser.ts` ``. */
  readonly file: string | undefined;
  readonly code: string;
  /** What stands in the ```text fence that follows it, if one does before the next code: what it prints. */
  readonly output: string | undefined;
}

/** The code of a page (`docs/api.md`), in order. */
export function documentedCode(page: string): DocumentedCode[] {
  const text = readFileSync(join(packageFolder, page), 'utf8');
  const fences = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return fences.flatMap(({ 1: language, 2: code, index }, i) => {
    if (language !== 'ts') return [];
    const [, next, output] = fences[i + 1] ?? [];
    const headings = [...text.slice(0, index).matchAll(/^#+ .*?(?:`([\w/-]+\.ts)`)?$/gm)];
    return [{ file: headings.at(-1)?.[1], code: code!, output: next === 'text' ? output : undefined }];
  });
}
