import { InputError } from '../../errors.ts';
import { quote } from '../../visible.ts';

export type Json = Readonly<Record<string, unknown>>;
/** A sentence of a document, and the JSON objects of its words 1…n. */
export type ReadSentence = { readonly conllu: string; readonly words: readonly Json[] };

/** A value for a message; lists and objects within it are “…”, since `JSON.stringify` fails for thousands of levels. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const isNested = (inner: unknown) => typeof inner === 'object' && inner !== null && inner !== value;
  return quote(JSON.stringify(value, (_, inner: unknown) => (isNested(inner) ? '…' : inner)));
}

/** Returns a value that must be an object; throws `InputError` for any other. */
export function objectOf(value: unknown, name: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new InputError(`${name} is ${shown(value)}, expected an object`);
}

/** Joins the cells of a line of CoNLL-U; empty and missing values become `_`. */
export function row(...cells: readonly unknown[]): string {
  const texts = cells.map((cell) =>
    cell === undefined || cell === null || cell === '' ? '_' : String(cell),
  );
  const wrong = texts.find((cell) => /[\t\r\n]/.test(cell));
  if (wrong === undefined) return texts.join('\t');
  throw new InputError(`a value ${quote(wrong)}, expected text without tabs and line ends`);
}
