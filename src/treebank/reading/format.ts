import { checkFields, checkName } from '../../checks.ts';
import { InputError } from '../../errors.ts';
import { countLines } from '../../files/encoding.ts';
import { quote } from '../../visible.ts';
import type { StringColumn } from '../columns/names.ts';
import { areConllu, CONLLU_COLUMNS, columnTitles, FEATS, globalColumns, ID } from '../columns/names.ts';
import { type TraceTreatment, traceTreatments } from '../phrases/traces.ts';

export type ColumnFormat = 'conllu' | 'conllx' | 'three-column';
/** `conllup` is CoNLL-U Plus. */
export const dependencyFormats = ['conllu', 'conllup', 'conllx', 'three-column', 'json'] as const;
export type DependencyFormat = (typeof dependencyFormats)[number];
export type TreebankFormat = DependencyFormat | 'brackets';
export const TREEBANK_FORMATS: readonly TreebankFormat[] = [...dependencyFormats, 'brackets'];

/** Each format's title, its columns in order, and the numbers of columns that a line may have. */
export const COLUMN_FORMATS: Readonly<
  Record<ColumnFormat, { title: string; columns: readonly string[]; counts: readonly number[] }>
> = {
  conllu: { title: 'CoNLL-U', columns: CONLLU_COLUMNS, counts: [10] },
  conllx: {
    title: 'CoNLL-X',
    columns: ['ID', 'FORM', 'LEMMA', 'CPOSTAG', 'POSTAG', 'FEATS', 'HEAD', 'DEPREL', 'PHEAD', 'PDEPREL'],
    counts: [8, 10],
  },
  'three-column': { title: 'form, tag, head', columns: ['FORM', 'TAG', 'HEAD'], counts: [3] },
};

/** An error for a text in no known format, which may be plain text. */
export class UnknownFormatError extends InputError {}

const PHEAD = 8;
/** MISC in CoNLL-U, PDEPREL in CoNLL-X. */
const LAST = 9;
const LINES = 500;

/**
 * Recognises a format by a majority of the first lines, so that one damaged line does not decide. A text that
 * could be either CoNLL-X or CoNLL-U is taken for CoNLL-U.
 *
 * @param head the beginning of the text, with at least one line that is not blank
 * @param file its name, which decides between CoNLL-U and CoNLL-X where only features without names speak for the latter
 * @throws UnknownFormatError with the first line that is neither blank nor a comment, where no line looks like any format
 */
export function detectFormat(head: string, file: string): TreebankFormat {
  const text = head.replace(/^\ufeff/, '');
  const start = text.lastIndexOf('\n', text.search(/\S/)) + 1;
  const lines = text.slice(start).split(/\r?\n/, LINES);
  const declared = globalColumns(lines[0]);
  if (declared !== undefined) return areConllu(declared) ? 'conllu' : 'conllup';
  const rows = lines.map((line) => line.split('\t'));
  const at = lines.findIndex((line) => !isComment(line) && line.trim() !== '');
  const first = lines[at] ?? '';
  if (rows[0].length !== 3) {
    if (/^\s*\(/.test(first)) return 'brackets';
    if (/^\s*\{/.test(lines[0])) return 'json';
  }
  const byCount = (count: number) => rows.filter((row) => row.length === count);
  const [ten, eight, three] = [byCount(10), byCount(8), byCount(3)];
  const most = Math.max(ten.length, eight.length, three.length);
  if (most > 0) {
    if (ten.length === most) return isConllx(ten, file) && !lines.some(isComment) ? 'conllx' : 'conllu';
    return eight.length === most ? 'conllx' : 'three-column';
  }
  // Damaged CoNLL-U, not a text that begins with a heading in Markdown.
  if (lines.some(isComment) && /^$|^\d|\t/.test(first)) return 'conllu';
  throw new UnknownFormatError(unrecognised(first), { file, line: 1 + at + countLines(text, start) });
}

function unrecognised(line: string): string {
  const count = line.split('\t').length;
  const found = count === 1 ? 'no tabs' : `${count} columns`;
  const expected =
    '10 columns (CoNLL-U, CoNLL-X), 8 (CoNLL-X), 3 (form, tag, head), a bracketed tree, or JSON Lines';
  const hint = line.includes('\r')
    ? ': found carriage returns, expected LF or CRLF line ends'
    : /^\s*\[\s*(\[|$)/.test(line)
      ? ': parliament convert reads Stanza’s JSON, with the format stanza'
      : '';
  return `format not recognised: ${found} in ${quote(line)}, expected ${expected}${hint}`;
}

const isComment = (line: string): boolean => line.startsWith('#');

/** Whether PHEAD is a number, or features are not `Name=Value` and nothing that only CoNLL-U has stands against it. */
function isConllx(rows: readonly (readonly string[])[], file: string): boolean {
  if (rows.some((row) => /^\d+[-.]\d+$/.test(row[ID]))) return false;
  if (rows.some((row) => /^\d+$/.test(row[PHEAD]))) return true;
  if (/\.conllu(\.gz)?$/i.test(file) || rows.some((row) => row[LAST].includes('='))) return false;
  return rows.some((row) => row[FEATS] !== '_' && !row[FEATS].includes('='));
}

/**
 * What the reader expects of a file's heads:
 * - `trees` (training, gold): every token has a head and there is no cycle; several roots are allowed unless
 *   `singleRoot`;
 * - `partial-trees` (conversion): HEAD may be `_`, but the heads that are there must fit into a tree: no
 *   cycle, and a root where no head is missing;
 * - `heads` (a system's output to be scored): every token has a head in range; cycles and roots are the
 *   scorer's to report;
 * - `tokens` (input of a parser): HEAD may be `_`; heads that are there must be in range.
 */
export type Expectation = (typeof expectations)[number];
const expectations = ['trees', 'partial-trees', 'heads', 'tokens'] as const;

export interface ReadingOptions {
  readonly format: TreebankFormat;
  readonly expect: Expectation;
  readonly singleRoot?: boolean | undefined;
  /** How moved phrases in bracketed trees are converted; default: `ignore`. */
  readonly traces?: TraceTreatment | undefined;
  /** The columns to read besides forms, heads and labels; the others are `_`. Default: all. */
  readonly columns?: ReadonlySet<StringColumn> | undefined;
  /** Leaves invalid sentences out instead of throwing; they are missing from what is written, too. */
  readonly skipInvalid?: boolean | undefined;
  /** Called for every sentence left out. */
  readonly onSkip?: ((error: InputError) => void) | undefined;
}

const readingFields = [
  'format',
  'expect',
  'singleRoot',
  'traces',
  'columns',
  'skipInvalid',
  'onSkip',
] as const satisfies readonly (keyof ReadingOptions)[];

/** Throws `UsageError` for a misspelt option of a function that reads sentences, and for unknown names in them. */
export function checkReading(
  called: string,
  options: { readonly [Name in keyof ReadingOptions]?: ReadingOptions[Name] | undefined },
  others: readonly string[],
): void {
  checkFields(called, options, [...readingFields, ...others]);
  checkName('format', options.format, TREEBANK_FORMATS);
  checkName('expect', options.expect, expectations);
  checkName('traces', options.traces, traceTreatments);
  for (const name of options.columns ?? []) checkName('columns', name, Object.keys(columnTitles));
}

/** The encoding of an output file: the input's, but UTF-8 for CoNLL-U or JSON made from another format. */
export function writtenEncoding(
  from: TreebankFormat | 'text',
  to: TreebankFormat | 'text',
  encoding: string | undefined,
): string | undefined {
  return (to === 'conllu' || to === 'json') && from !== to ? 'utf-8' : encoding;
}
