import { basename, normalize, sep } from 'node:path';
import { UsageError } from '../../errors.ts';

/**
 * What to call the parsers: the names given, or else the files' names without their folders and without the
 * words, parted by `.`, that all of them begin or end with. Where files have the same name, it is what is left
 * of their whole paths without the folders, and the name, that all have. A file that is given twice is called the
 * same, with a number.
 *
 * Throws `UsageError` where the names given are not as many as the files, are empty, or are not different.
 */
export function parserNames(files: readonly string[], given?: readonly string[]): readonly string[] {
  if (given !== undefined) {
    if (given.length !== files.length) {
      throw new UsageError(`${given.length} names for ${files.length} files, expected one each`);
    }
    if (given.includes('')) throw new UsageError('a parser needs a name, expected no empty ones');
    if (new Set(given).size < given.length) throw new UsageError('two parsers have the same name');
    return given;
  }
  const paths = files.map(normalize);
  const different = [...new Set(paths)];
  const names = differentNames(different);
  return numbered(paths.map((path) => names[different.indexOf(path)]));
}

function differentNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => basename(path));
  if (paths.length === 1) return names;
  const areDistinct = new Set(names).size === names.length;
  return areDistinct ? withoutShared(names, '.') : withoutShared(paths, sep);
}

/** Distinct names stay distinct. */
function withoutShared(names: readonly string[], separator: string): readonly string[] {
  const parts = names.map((name) => name.split(separator));
  const shortest = Math.min(...parts.map(({ length }) => length));
  const shared = (at: number) => new Set(parts.map((words) => words.at(at))).size === 1;
  let last = 0;
  while (last < shortest - 1 && shared(-1 - last)) last++;
  let first = 0;
  while (first < shortest - last - 1 && shared(first)) first++;
  return parts.map((words) => words.slice(first, words.length - last).join(separator));
}

function numbered(names: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  return names.map((name) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : `${name} (${time})`;
  });
}
