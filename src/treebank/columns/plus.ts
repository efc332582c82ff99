import { InputError, UsageError } from '../../errors.ts';
import { countLines } from '../../files/encoding.ts';
import { lineAfter } from '../reading/batches.ts';
import type { ReadingOptions } from '../reading/format.ts';
import type { Sentence, SentenceSource, TextBatch } from '../sentence.ts';
import { CONLLU_COLUMNS, globalColumns } from './names.ts';
import { readColumns } from './read.ts';

/** The sources of sentences in JSON and CoNLL-U Plus, converted to CoNLL-U, whose text their strings keep in memory anyway. */
export const inConllu = new WeakMap<SentenceSource, SentenceSource>();

/**
 * Reads CoNLL-U Plus (https://universaldependencies.org/ext-format.html). Columns that CoNLL-U lacks stay in the
 * source text; CoNLL-U's columns that are missing have the value `_`. Throws as `readColumns` does.
 */
export function* readPlus(batch: TextBatch, options: ReadingOptions): Generator<Sentence> {
  const { file, line, text } = batch;
  const columns = batch.columns ?? globalColumns(text) ?? [];
  for (const name of ['ID', 'FORM'])
    if (!columns.includes(name))
      throw new InputError(`no column ${name}, expected # global.columns = ID FORM …`, { file, line });
  const twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice !== undefined) throw new InputError(`two columns ${twice} in # global.columns`, { file, line });
  checkDeclarations(batch, columns);
  const wrong = new Map<number, InputError>();
  const conllu = plusToConllu(text, columns, (count, at) => {
    const problem = `${count} columns, expected ${columns.length} (${columns.join(' ')})`;
    const error = new InputError(problem, { file, line: line + at });
    if (!options.skipInvalid) throw error;
    wrong.set(line + at, error);
  });
  const onSkip = (error: InputError) => options.onSkip?.(wrong.get(error.place.line!) ?? error);
  let at = 0;
  let atLine = line;
  const skip = (lines: number) => {
    for (let i = 0; i < lines; i++) at = lineAfter(text, at);
    atLine += lines;
  };
  for (const sentence of readColumns({ file, line, text: conllu }, 'conllu', { ...options, onSkip })) {
    const own = sentence.source!;
    skip(own.line - atLine);
    const start = at;
    skip(countLines(own.text, own.text.length));
    // The last line may have no end.
    if (own.text.at(-1) !== '\n') at = text.length;
    const source: SentenceSource = { ...own, format: 'conllup', text: text.slice(start, at), columns };
    inConllu.set(source, own);
    yield { ...sentence, source };
  }
}

/** A declaration of columns; only LF ends a line. */
const DECLARATION = /(?<![^\n])\ufeff?#[ \t]*global\.columns[ \t]*=[^\n]*/g;

/** Refuses other columns further on, as in files that were joined: the rows after them would be read in the wrong order. */
function checkDeclarations({ file, line, text }: TextBatch, columns: readonly string[]): void {
  for (const { 0: row, index } of text.matchAll(DECLARATION)) {
    if (globalColumns(row)?.join() === columns.join()) continue;
    const problem = `other columns in a second # global.columns, expected those of the first: ${columns.join(' ')}`;
    throw new InputError(problem, { file, line: line + countLines(text, index) });
  }
}

/**
 * Converts a text in CoNLL-U Plus to CoNLL-U, line by line.
 * @param onOther called for each line with a wrong number of columns, which becomes one that CoNLL-U does not allow
 */
export function plusToConllu(
  text: string,
  columns: readonly string[],
  onOther?: (count: number, line: number) => void,
): string {
  const places = CONLLU_COLUMNS.map((name) => columns.indexOf(name));
  return eachRow(text, columns, (cells, line) => {
    if (cells.length === columns.length) return places.map((place) => cells[place] ?? '_');
    onOther?.(cells.length, line);
    return ['_'];
  });
}

/** Converts a sentence in CoNLL-U back to the CoNLL-U Plus that it was read from, with its current values. */
export function conlluToPlus(conllu: string, { source }: Sentence): string {
  const { text, columns } = source!;
  const places = CONLLU_COLUMNS.map((name) => columns!.indexOf(name));
  const old = text
    .split('\n')
    .filter((line) => isRow(line, columns!))
    .values();
  return eachRow(conllu, CONLLU_COLUMNS, (values) => {
    const cells = old.next().value!.replace(/\r$/, '').split('\t');
    for (const [column, place] of places.entries()) {
      if (place >= 0) cells[place] = values[column];
      else if (values[column] !== '_')
        throw new UsageError(
          `${CONLLU_COLUMNS[column]} has no column in this CoNLL-U Plus file: write conllu`,
        );
    }
    return cells;
  });
}

/** Replaces the cells of every token line. */
function eachRow(
  text: string,
  columns: readonly string[],
  change: (cells: string[], line: number) => readonly string[],
): string {
  const lines = text.split('\n').map((row, line) => {
    const [, content, end] = /^(.*?)(\r?)$/s.exec(row)!;
    return isRow(row, columns) ? change(content!.split('\t'), line).join('\t') + end : row;
  });
  return lines.join('\n');
}

/** Whether a line holds a token: where ID is not the first column, it may begin with the form `#`. */
function isRow(line: string, columns: readonly string[]): boolean {
  if (/^\ufeff?\r?$/.test(line)) return false;
  return !/^\ufeff?#/.test(line) || (columns[0] !== 'ID' && line.split('\t').length === columns.length);
}
