import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';

/** A ```ts fence of a page of the documentation. */
export interface DocumentedCode {
  /** The file name in the heading above the code, as in ``## The parser: `parser.ts` ``. */
  readonly file: string | undefined;
  readonly code: string;
  /** The output that the code prints, from the ```text fence that follows directly, if there is one. */
  readonly output: string | undefined;
}

/** The fences of code in a page (`docs/api.md`), in order. */
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
