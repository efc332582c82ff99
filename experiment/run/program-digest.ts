import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** What a figure can depend on: all that a job's process runs; reports are none of it. */
const folders = ['experiment/jobs', 'parsers', 'combine', 'src'];
const besides = join(root, 'src', 'report');

/**
 * SHA-256 of the code that trains, parses and scores: results that other code has made are not taken for its
 * own, even where the package's version is the same.
 */
export function programDigest(): string {
  const hash = createHash('sha256');
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && isCode(entry.name) && !entry.parentPath.startsWith(besides))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  for (const file of files.sort()) {
    hash.update(`${relative(root, file).replaceAll(sep, '/')}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function isCode(name: string): boolean {
  return ['.js', '.ts'].includes(extname(name)) && !name.endsWith('.d.ts');
}
