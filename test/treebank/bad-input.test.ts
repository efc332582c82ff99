import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { openTreebank, type TreebankOptions } from '../../src/treebank/reading/treebank-file.ts';

const folder = fileURLToPath(new URL('../bad-input/', import.meta.url));

interface Case {
  readonly file: string;
  readonly message: string;
  readonly options: TreebankOptions | undefined;
}

/** Each row has a file that breaks one rule, the message after the file’s path, and options if they matter. */
const table: readonly (readonly [string, string, TreebankOptions?])[] = [
  ['blank-lines.conllu', ': no sentences'],
  [
    'carriage-returns.conllu',
    ':1: format not recognised: 19 columns in “1\\tRain\\train\\tNOUN\\t_\\t_\\t2\\tdep\\t_\\t_\\r2\\tfalls\\tf…”, ' +
      'expected 10 columns (CoNLL-U, CoNLL-X), 8 (CoNLL-X), 3 (form, tag, head), a bracketed tree, or JSON Lines: ' +
      'found carriage returns, expected LF or CRLF line ends',
  ],
  [
    'carriage-returns.conllu',
    ':1: 19 columns, expected 10 separated by tabs (CoNLL-U): found carriage returns, expected LF or CRLF line ends',
    { format: 'conllu' },
  ],
  ['columns-change.conllx', ':2: 8 columns, expected 10 separated by tabs (CoNLL-X)', { format: 'conllx' }],
  ['columns-missing.conllu', ':5: 9 columns, expected 10 separated by tabs (CoNLL-U)'],
  ['columns-missing.dp', ':2: 2 columns, expected 3 separated by tabs (form, tag, head)'],
  ['columns-too-many.conllu', ':5: 11 columns, expected 10 separated by tabs (CoNLL-U)'],
  [
    'comment.conllx',
    ':1: 1 column, expected 8 or 10 separated by tabs (CoNLL-X): comments belong to CoNLL-U',
    { format: 'conllx' },
  ],
  ['comment-and-carriage-returns.conllu', ':1: no sentences: lines end with CR, expected LF or CRLF'],
  ['comments-only.conllu', ': no sentences'],
  ['cycle.conllu', ':5: cycle: 1 → 3 → 4 → 1, expected a tree'],
  ['cycle.conllu', ':5: cycle: 1 → 3 → 4 → 1, expected a tree', { expect: 'partial-trees' }],
  ['damaged.conllu.gz', ': damaged gzip data (invalid block type)'],
  ['empty-column.conllu', ':5: column XPOS is empty, expected a value or “_”'],
  ['empty-form.conllu', ':5: column FORM is empty, expected a value or “_”'],
  ['empty-node-out-of-order.conllu', ':6: empty node “2.1”, expected 1.1 after token 1'],
  [
    'four-columns.txt',
    ':1: format not recognised: 4 columns in “Rain\\tNN\\t2\\tSBJ”, ' +
      'expected 10 columns (CoNLL-U, CoNLL-X), 8 (CoNLL-X), 3 (form, tag, head), a bracketed tree, or JSON Lines',
  ],
  ['head-itself.conllu', ':5: token 1 is its own head, expected another token or 0'],
  [
    'head-itself.conllu',
    ':5: token 1 is its own head, expected another token or 0',
    { expect: 'partial-trees' },
  ],
  ['head-missing.conllu', ':5: head is missing (“_”), expected 0 (the root) or a token id'],
  [
    'head-missing.conllu',
    ':5: head is missing (“_”), expected 0 (the root) or a token id',
    { expect: 'heads' },
  ],
  ['head-negative.conllu', ':5: head “-1” is not an integer, expected 0 (the root) or a token id'],
  ['head-not-integer.conllu', ':5: head “falls” is not an integer, expected 0 (the root) or a token id'],
  ['head-out-of-range.conllu', ':5: head 3 is out of range, expected 0 to 2'],
  ['head-out-of-range.conllu', ':5: head 3 is out of range, expected 0 to 2', { expect: 'heads' }],
  ['head-out-of-range.conllu', ':5: head 3 is out of range, expected 0 to 2', { expect: 'tokens' }],
  ['head-out-of-range.dp', ':2: head 5 is out of range, expected 0 to 2'],
  ['id-missing.conllu', ':6: token id 3, expected 2: a token is missing or out of order'],
  ['id-not-integer.conllu', ':5: token id “one” is not an integer, expected 1'],
  ['id-twice.conllu', ':7: token id 2 occurs twice, expected 3'],
  ['id-zero.conllu', ':5: token id 0, expected 1: ids start at 1'],
  ['no-blank-line.conllu', ':7: token id 1 occurs twice, expected 3, or a blank line before a new sentence'],
  ['no-root.conllu', ':5: no root: no token has head 0, expected at least one'],
  ['no-root.conllu', ':5: no root: no token has head 0, expected at least one', { expect: 'partial-trees' }],
  ['no-tokens.conllu', ':5: a sentence without tokens, expected at least one'],
  ['not-closed.mrg', ':2: tree without an end: one “)” is missing'],
  [
    'not-utf-8-at-end.conllu',
    ':4: byte 0xC3 is not valid UTF-8: for a file in another encoding name that, for example windows-1252',
  ],
  [
    'not-utf-8.conllu',
    ':5: byte 0xE9 is not valid UTF-8: for a file in another encoding name that, for example windows-1252',
  ],
  ['nothing.conllu', ': no sentences'],
  [
    'nul.conllu',
    ':5: NUL character, expected text: a binary file, or another encoding, for example utf-16le?',
  ],
  ['only-spaces.conllu', ':7: a line of only spaces or tabs, expected a token or an empty line'],
  ['only-traces.mrg', ':2: tree without words, expected at least one'],
  [
    'prose.txt',
    ':1: format not recognised: no tabs in “It rained all day, and nobody came.”, ' +
      'expected 10 columns (CoNLL-U, CoNLL-X), 8 (CoNLL-X), 3 (form, tag, head), a bracketed tree, or JSON Lines',
  ],
  ['range-backwards.conllu', ':6: multiword range “2-1”, expected a range from 2 on'],
  ['range-out-of-order.conllu', ':6: multiword range “3-4”, expected a range from 2 on'],
  ['range-overlap.conllu', ':7: multiword range “2-3”, expected ranges that do not overlap'],
  ['range-past-end.conllu', ':6: multiword range to token 3, expected at most 2, the last token'],
  ['range.conllx', ':2: token id “2-3” is not an integer, expected 2', { format: 'conllx' }],
  ['several-roots.conllu', ':6: 2 roots (tokens 1, 2), expected one', { singleRoot: true }],
  ['spaces-for-tabs.conllu', ':5: 1 column, expected 10 separated by tabs (CoNLL-U): found spaces'],
];

const files = table.map(([file, message, options]): Case => ({ file, message, options }));

async function read(file: string, options: TreebankOptions = {}) {
  const sentences = [];
  for await (const sentence of await openTreebank(folder + file, options)) sentences.push(sentence);
  return sentences;
}

describe('a malformed file is refused in one line that says where, what is wrong and what was expected', () => {
  test.each(files)('$file$message', async ({ file, message, options }) => {
    const error = await read(file, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(folder + file + message);
  });

  test('every file of the folder is in the table', () => {
    expect(new Set(files.map(({ file }) => file))).toEqual(new Set(readdirSync(folder)));
  });
});

describe('skipInvalid, which leaves out a malformed sentence and passes the error to onSkip', () => {
  const damagedAsWhole = /^(not-utf|nul|damaged)/;
  const isSkippable = ({ file, message, options }: Case) =>
    file.endsWith('.conllu') && /^:[4-9]/.test(message) && !options && !damagedAsWhole.test(file);

  test.each(files.filter(isSkippable))('$file', async ({ file, message }) => {
    const told: string[] = [];
    const sentences = await read(file, { skipInvalid: true, onSkip: (error) => told.push(error.message) });
    expect(sentences.map(({ id }) => id)).toEqual(['good']);
    expect(told).toEqual([folder + file + message]);
  });

  test('a bracketed tree without words is left out, too', async () => {
    const sentences = await read('only-traces.mrg', { skipInvalid: true });
    expect(sentences.map(({ forms }) => forms.join(' '))).toEqual([' Rain falls']);
  });

  test('a file with only malformed sentences is refused', async () => {
    await expect(read('columns-missing.dp', { skipInvalid: true })).rejects.toThrow(
      'columns-missing.dp: no valid sentences, 1 malformed',
    );
  });
});

describe('heads that are not a tree, in the output of a system or the input of a parser', () => {
  const loose = ['cycle.conllu', 'head-itself.conllu', 'no-root.conllu', 'several-roots.conllu'];

  test.each(loose)('%s is read with expect: heads and expect: tokens', async (file) => {
    expect(await read(file, { expect: 'heads' })).toHaveLength(2);
    expect(await read(file, { expect: 'tokens' })).toHaveLength(2);
  });

  test('several roots are accepted unless singleRoot is set', async () => {
    expect(await read('several-roots.conllu')).toHaveLength(2);
  });

  test('a head of “_” is read as −1 with expect: tokens', async () => {
    const [, sentence] = await read('head-missing.conllu', { expect: 'tokens' });
    expect(Array.from(sentence!.heads)).toEqual([-1, -1, 0]);
  });
});
