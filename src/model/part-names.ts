/**
 * How parts of a model file are told from each other: the header of part `tagger` is the field `tagger` of the
 * header's field `parts`, and its sections are called `tagger/…`. Parts may have parts.
 */

/** What the names of a part's sections begin with in the file. */
export function prefixOf(path: readonly string[]): string {
  return path.map((name) => `${name}/`).join('');
}

/** What a part's header is called in the file's, for messages; empty for that of the file itself. */
export function pathText(path: readonly string[]): string {
  const names = path.map((name) => `parts.${name}`);
  return names.join('.');
}
