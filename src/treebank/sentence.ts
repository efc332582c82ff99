import { UsageError } from '../errors.ts';
import { quote } from '../visible.ts';
import type { StringColumn } from './columns/names.ts';
import type { PhraseTree } from './phrases/phrase-tree.ts';
import type { TreebankFormat } from './reading/format.ts';

/**
 * A sentence and its dependency tree. Index 0 is the artificial root everywhere: every column has
 * length + 1 entries, entry 0 is `''` (heads: −1), tokens are 1…length. A column that the file leaves out is
 * `_`.
 */
export interface Sentence {
  /** Number of tokens (words that take a head; multiword ranges and empty nodes do not count). */
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
  /** The phrase-structure tree that the dependencies were made of, as it stood in a bracketed file. */
  readonly phrases?: PhraseTree | undefined;
  /** Trees of it that other parsers have found, for a parser that learnt to look at theirs. */
  readonly guides?: readonly DependencyTree[] | undefined;
  /** The `# sent_id` comment, where there is one. */
  readonly id?: string | undefined;
  /** Where the sentence came from, kept so that it can be written back byte for byte. */
  readonly source?: SentenceSource | undefined;
}

/** A sentence as it stood in its file. */
export interface SentenceSource {
  /** The file's name as the user gave it (`-` for standard input). */
  readonly file: string;
  readonly format: TreebankFormat;
  /** Line number, from 1, of the first line of `text`. */
  readonly line: number;
  /**
   * Every character of the block: comments, tokens, the blank lines after it, line ends and byte-order mark.
   */
  readonly text: string;
  /** lines[d] is the line number in the file of token d (lines[0] = line). */
  readonly lines: Int32Array;
}

/** One head and one label a token, laid out as in `Sentence`. */
export interface DependencyTree {
  readonly heads: Int32Array;
  readonly labels: readonly string[];
}

/**
 * A source of sentences that can, as a rule, be read from its beginning more than once, one sentence in memory
 * at a time.
 */
export interface Treebank extends AsyncIterable<Sentence> {
  /** What to call it in messages and model headers: a file's name, mostly. */
  readonly name: string;
  /** SHA-256 (hex) of the bytes read; known after one whole pass, undefined before. */
  readonly digest?: string | undefined;
  /** Where it is but the first so many sentences of a file. */
  readonly limit?: number | undefined;
  /** Whether only one pass over it is possible: it comes out of a pipe. */
  readonly isReadOnce?: boolean | undefined;
  /** What it was put together from, where it was, in order; known after one whole pass. */
  readonly parts?: readonly Treebank[] | undefined;
}

/**
 * A column of a sentence. Readers fill every column; a program that builds a `Sentence` itself may leave one out, or
 * forget the artificial root.
 *
 * @throws UsageError where the column is missing, or is not one string for the root and each token
 */
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

/** Whether a column has any value but `_`. */
export function isFilled(column: readonly string[]): boolean {
  for (let d = 1; d < column.length; d++) if (column[d] !== '_') return true;
  return false;
}

/** A token as a program may give it, by the names of CoNLL-U; what is left out is `_`. */
export interface Token
  extends Readonly<
    Partial<Record<'lemma' | 'upos' | 'xpos' | 'feats' | 'deps' | 'misc', string | undefined>>
  > {
  readonly form: string;
  /** The number of its head, from 1, or 0 for the artificial root; left out: not known. */
  readonly head?: number | undefined;
  /** The relation to its head (DEPREL). */
  readonly label?: string | undefined;
}

/** The columns of strings, by the field of a token that each is made of. */
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
 * Makes a sentence: of a text whose tokens are separated by blanks, or of forms, or of tokens with what is known
 * of them.
 *
 *     sentenceOf('The cat sleeps')
 *     sentenceOf(['New York', 'sleeps'])
 *     sentenceOf([{ form: 'The', upos: 'DET' }, { form: 'cat', upos: 'NOUN' }])
 *
 * @throws UsageError where there is no token; for a field that is none, or that could not be written to a file
 *   (empty, or with a tab or a line end in it); and for a head out of range
 */
export function sentenceOf(tokens: string | readonly (string | Token)[]): Sentence {
  const given = typeof tokens === 'string' ? tokens.split(/\s+/).filter((form) => form !== '') : tokens;
  if (given.length === 0) throw new UsageError('a sentence without tokens, expected at least one');
  const all = given.map((token): Token => (typeof token === 'string' ? { form: token } : token));
  for (const [i, token] of all.entries()) check(token, i + 1, all.length);
  const strings = fields.map((field) => [columns[field], ['', ...all.map((token) => token[field] ?? '_')]]);
  return {
    length: all.length,
    heads: Int32Array.from([-1, ...all.map(({ head = -1 }) => head)]),
    ...(Object.fromEntries(strings) as Record<(typeof columns)[keyof typeof columns], string[]>),
  };
}

function check(token: Token, d: number, length: number): void {
  const refuse = (problem: string) => new UsageError(`token ${d}: ${problem}`);
  if (token.form === undefined) throw refuse('no form');
  const unknown = Object.keys(token).find((field) => !known.has(field));
  if (unknown !== undefined) throw refuse(`no field ${unknown}, expected some of ${[...known].join(', ')}`);
  for (const field of fields) {
    const value = token[field];
    if (value === undefined) continue;
    if (typeof value !== 'string' || !/^[^\t\r\n]+$/.test(value)) {
      throw refuse(`${field} ${quote(String(value))}, expected text without tabs and line ends`);
    }
  }
  const { head = 0 } = token;
  if (!Number.isInteger(head) || head < 0 || head > length || head === d) {
    throw refuse(`head ${head}, expected another token’s number, up to ${length}, or 0 for the root`);
  }
}
