import { UsageError } from '../errors.ts';
import { quote } from '../visible.ts';
import type { StringColumn } from './columns/names.ts';
import type { PhraseTree } from './phrases/phrase-tree.ts';
import type { TreebankFormat } from './reading/format.ts';

/**
 * A sentence and its dependency tree. Index 0 is the artificial root everywhere: every column has length + 1
 * entries, entry 0 is `''` (heads: −1), tokens are 1…length. The values of a column that the file lacks are `_`.
 */
export interface Sentence {
  /** Words that take a head, not multiword ranges or empty nodes. */
  readonly length: number;
  readonly forms: readonly string[];
  readonly lemmas: readonly string[];
  /** Universal tags; the CPOSTAG column of CoNLL-X. */
  readonly upos: readonly string[];
  /** Language-specific tags; the POSTAG column of CoNLL-X. */
  readonly xpos: readonly string[];
  readonly feats: readonly string[];
  /** heads[d] is the head of token d, 0 the artificial root, −1 not annotated. heads[0] = −1. */
  readonly heads: Int32Array;
  readonly labels: readonly string[];
  readonly deps: readonly string[];
  readonly misc: readonly string[];
  /** The phrase-structure tree that the dependencies were converted from. */
  readonly phrases?: PhraseTree | undefined;
  /** Trees that other parsers found, for a stacked parser. */
  readonly guides?: readonly DependencyTree[] | undefined;
  /** The value of the `# sent_id` comment. */
  readonly id?: string | undefined;
  /** Where the sentence came from, kept so that it can be written back byte for byte. */
  readonly source?: SentenceSource | undefined;
}

/** A sentence as it was in its file. */
export interface SentenceSource {
  /** The file's name as the user gave it (`-` for standard input). */
  readonly file: string;
  readonly format: TreebankFormat;
  /** Line number, from 1, at which the sentence begins in the file. */
  readonly line: number;
  /** Every character of the block: comments, tokens, blank lines after it, line ends, byte-order mark. */
  readonly text: string;
  /**
   * lines[d]: the line number of token d in the file; lines[0]: of the first line of `text`, which is `line`, or less
   * if the text has marks of skipped sentences at its beginning.
   */
  readonly lines: Int32Array;
  /** The columns that a CoNLL-U Plus file declares in its first line, which may be in an earlier batch. */
  readonly columns?: readonly string[] | undefined;
}

export type SourcedSentence = Pick<Sentence, 'length' | 'source'>;

/** The source of a sentence; undefined if tokens were added or removed since, so that its lines no longer match. */
export const currentSource = ({ length, source }: SourcedSentence): SentenceSource | undefined =>
  source?.lines.length === length + 1 ? source : undefined;

/** The text of complete sentences: plain data that can be sent to a worker. */
export interface TextBatch extends Pick<SentenceSource, 'file' | 'line' | 'text' | 'columns'> {
  /** The same sentences if they are in memory already: they are not read again. */
  readonly sentences?: readonly Sentence[] | undefined;
}

/** One head and one label per token, laid out as in `Sentence`. */
export type DependencyTree = { readonly heads: Int32Array; readonly labels: readonly string[] };

/** A source of sentences, one in memory at a time; as a rule it can be read repeatedly. */
export interface Treebank extends AsyncIterable<Sentence> {
  /** Its name in messages and model headers, usually the file's. */
  readonly name: string;
  /** SHA-256 (hex) of the bytes read; undefined before the first complete pass. A program's treebank may lack it. */
  readonly digest?: string | undefined;
  /** The maximum number of sentences, if only the beginning of a file is read. */
  readonly limit?: number | undefined;
  /** Whether it can be read only once, like a pipe. */
  readonly isReadOnce?: boolean | undefined;
  /** The treebanks that it was joined from, in order; known after the first complete pass. */
  readonly parts?: readonly Treebank[] | undefined;
}

/** Returns a column; throws `UsageError` if a sentence built by a program lacks it, or its entry for the root. */
export function columnOf(sentence: Sentence, name: StringColumn): readonly string[] {
  const column = sentence[name] as readonly string[] | undefined;
  const { length } = sentence;
  if (column?.length === length + 1) return column;
  if (!Number.isInteger(length)) throw new UsageError(`a sentence of length ${length}, expected its tokens`);
  const found = column === undefined ? `no column ${name}` : `${column.length} ${name}`;
  throw new UsageError(
    `a sentence of ${length} tokens with ${found}, expected ${length + 1}: '' for the root, then one per token (sentenceOf makes them)`,
  );
}

/** Throws `UsageError` unless a tree has a head and a label for each token and the root. */
export function checkTreeSize({ heads, labels }: DependencyTree, length: number): void {
  if (heads.length === length + 1 && labels.length === length + 1) return;
  throw new UsageError(
    `a tree with ${heads.length} heads and ${labels.length} labels for a sentence of ${length} tokens, expected ${length + 1} of each`,
  );
}

/** `checkTreeSize`, and that each head is from −1 to `length`. */
export function checkArcs(tree: DependencyTree, length: number): void {
  checkTreeSize(tree, length);
  const { heads } = tree;
  for (let d = 1; d <= length; d++)
    if (!(heads[d] >= -1 && heads[d] <= length))
      throw new UsageError(`head ${heads[d]} of token ${d}, expected 0 to ${length}, or -1 for none`);
}

/** Whether a field has a value: neither `_` nor `''` (a word that a parser lacks). */
export const isValue = (field: string): boolean => field !== '_' && field !== '';

/** Whether any token has a value. */
export function isFilled(column: readonly string[]): boolean {
  for (let d = 1; d < column.length; d++) if (isValue(column[d])) return true;
  return false;
}

/** A token built by a program, with the field names of CoNLL-U; missing fields are `_`. */
export interface Token
  extends Readonly<
    Partial<Record<'lemma' | 'upos' | 'xpos' | 'feats' | 'deps' | 'misc', string | undefined>>
  > {
  readonly form: string;
  /** The number of its head, from 1; 0 for the artificial root; undefined where unknown. */
  readonly head?: number | undefined;
  /** The relation to its head (DEPREL). */
  readonly label?: string | undefined;
}

const columns = {
  form: 'forms',
  lemma: 'lemmas',
  upos: 'upos',
  xpos: 'xpos',
  feats: 'feats',
  label: 'labels',
  deps: 'deps',
  misc: 'misc',
} as const;
const fields = Object.keys(columns) as (keyof typeof columns)[];
const known: ReadonlySet<string> = new Set([...fields, 'head']);

/**
 * Makes a sentence from a text whose tokens are separated by spaces, from forms, or from tokens.
 *
 *     sentenceOf('The cat sleeps')
 *     sentenceOf(['New York', 'sleeps'])
 *     sentenceOf([{ form: 'The', upos: 'DET' }, { form: 'cat', upos: 'NOUN' }])
 *
 * @throws UsageError for no tokens, an unknown field, a head out of range, or a value that cannot be written
 *   to a file
 */
export function sentenceOf(tokens: string | readonly (string | Token)[]): Sentence {
  const given = typeof tokens === 'string' ? tokens.split(/\s+/).filter((form) => form !== '') : tokens;
  if (given.length === 0) throw new UsageError('a sentence without tokens, expected at least one');
  const all = given.map((token): Token => (typeof token === 'string' ? { form: token } : token));
  for (const [i, token] of all.entries()) checkToken(token, i + 1, all.length);
  const strings = fields.map((field) => [columns[field], ['', ...all.map((token) => token[field] ?? '_')]]);
  return {
    length: all.length,
    heads: Int32Array.from([-1, ...all.map(({ head = -1 }) => head)]),
    ...(Object.fromEntries(strings) as Record<(typeof columns)[keyof typeof columns], string[]>),
  };
}

function checkToken(token: Token, d: number, length: number): void {
  const refuse = (problem: string) => new UsageError(`token ${d}: ${problem}`);
  if (token.form === undefined) throw refuse('no form');
  const unknown = Object.keys(token).find((field) => !known.has(field));
  if (unknown !== undefined) throw refuse(`no field ${unknown}, expected some of ${[...known].join(', ')}`);
  for (const field of fields) {
    const value = token[field];
    if (value === undefined) continue;
    if (typeof value !== 'string' || !/^[^\t\r\n\0]+$/.test(value))
      throw refuse(`${field} ${quote(String(value))}, expected text without tabs, line ends and NUL`);
  }
  const { head = 0 } = token;
  if (!Number.isInteger(head) || head < 0 || head > length || head === d)
    throw refuse(`head ${head}, expected another token’s number, up to ${length}, or 0 for the root`);
}
