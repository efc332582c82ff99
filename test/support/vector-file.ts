import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../src/learn/random.ts';

/** A file with a vector of five numbers for each of these words, in GloVe's format. */
export function vectorFile(words: readonly string[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'vectors-')), 'some.vec');
  const random = new Random(3);
  const row = () => Array.from({ length: 5 }, () => (2 * random.uniform() - 1).toFixed(3)).join(' ');
  writeFileSync(path, words.map((word) => `${word} ${row()}\n`).join(''));
  return path;
}
