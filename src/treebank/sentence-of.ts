import { UsageError } from '../errors.ts';
import { quote } from './reading/quote.ts';
import type { Sentence } from './sentence.ts';

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
