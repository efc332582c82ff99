import { UsageError } from '../../errors.ts';
import { basename, normalize, sep } from '../../platform/files.ts';

/**
 * Names the parsers: by the given names, or by their file names without folders and without the `.`-separated
 * parts that all share at the beginning or end. Equal file names are distinguished by their folders; a file given
 * twice gets a number.
 * @throws UsageError if the given names are too few or too many, empty, or equal
 */
export function parserNames(files: readonly string[], given?: readonly string[]): readonly string[] {
  if (given !== undefined) {
    if (given.length !== files.length)
      throw new UsageError(`names: ${given.length}, files: ${files.length}; expected one name for each file`);
    if (given.includes('')) throw new UsageError('a parser needs a name, expected no empty ones');
    if (new Set(given).size < given.length) throw new UsageError('two parsers have the same name');
    return given;
  }
  const paths = files.map(normalize);
  const different = [...new Set(paths)];
  const names = differentNames(different);
  const times = new Map<string, number>();
  return paths.map((path) => {
    const name = names[different.indexOf(path)];
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : `${name} (${time})`;
  });
}

function differentNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => basename(path));
  if (paths.length === 1) return names;
  const areDistinct = new Set(names).size === names.length;
  return areDistinct ? withoutShared(names, '.') : withoutShared(paths, sep);
}

/** Removes the leading and trailing parts that all names share; different names stay different. */
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
