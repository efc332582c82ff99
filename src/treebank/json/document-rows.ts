import { InputError } from '../../errors.ts';
import { quote } from '../../visible.ts';

export type Json = Readonly<Record<string, unknown>>;
/** A sentence of a document, and the JSON objects of its words 1…n. */
export type ReadSentence = { readonly conllu: string; readonly words: readonly Json[] };

/** Joins the cells of a line of CoNLL-U; empty and missing values become `_`. */
export function row(...cells: readonly unknown[]): string {
  const texts = cells.map((cell) =>
    cell === undefined || cell === null || cell === '' ? '_' : String(cell),
  );
  const wrong = texts.find((cell) => /[\t\r\n]/.test(cell));
  if (wrong === undefined) return texts.join('\t');
  throw new InputError(`a value ${quote(wrong)}, expected text without tabs and line ends`);
}
