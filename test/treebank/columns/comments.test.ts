import { expect, test } from 'vitest';
import { asBlock, commentIn, documentIn, withComments } from '../../../src/treebank/columns/comments.ts';

const token = '1\tYes\t_\t_\t_\t_\t0\troot\t_\t_';

test.each(['\n', '\r\n'])(
  'new comments replace earlier ones and stand after or before the others, with line end %j',
  (end) => {
    const lines = (...own: readonly string[]) => [...own, '1\tYes\t_', '', ''].join(end);
    const given = lines('\ufeff# tree = 2 of 7', '', '# text = A\u2028B', '#probability=0.1', '# id');
    const comments = { tree: '1 of 2', probability: undefined };
    expect(withComments(given, comments)).toBe(
      lines('\ufeff', '# text = A\u2028B', '# id', '# tree = 1 of 2'),
    );
    expect(withComments(given, { tree: '1 of 2' }, 'first')).toBe(
      lines('\ufeff# tree = 1 of 2', '', '# text = A\u2028B', '#probability=0.1', '# id'),
    );
    expect(asBlock(given.replace('# tree = 2 of 7', ''))).toMatch(/^# text/);
  },
);

test('a sentence at the end of a file gets its blank line', () => {
  const ended = `# a = b\n${token}\n\n`;
  for (const end of ['', '\n', '\n\n']) expect(withComments(token + end, { a: 'b' })).toBe(ended);
  expect(withComments(`${token}\r\n`, { a: 'b' })).toBe(ended.replaceAll('\n', '\r\n'));
});

test('asBlock makes a sentence fit between those of other files', () => {
  for (const end of ['', '\n', '\n\n']) expect(asBlock(`\ufeff\n${token}${end}`)).toBe(`${token}\n\n`);
  for (const end of ['', '\r\n', '\r\n\r\n'])
    expect(asBlock(`# a\r\n${token}${end}`)).toBe(`# a\r\n${token}\r\n\r\n`);
  expect(asBlock('')).toBe('');
});

test('only a line feed ends a comment', () => {
  const text = `\ufeff#a= x\u2028# b = y\r# b = z \r\n# b c =\n${token}\n`;
  expect(['a', 'b', 'b c'].map((name) => commentIn(text, name))).toEqual([
    'x\u2028# b = y\r# b = z',
    undefined,
    '',
  ]);
});

test('a million blanks in a comment are part of its value, read in less than quadratic time', () => {
  const value = `x${' '.repeat(1e6)}y`;
  expect(commentIn(`# a = ${value} \r\n${token}\n`, 'a')).toBe(value);
  expect(documentIn(`# newdoc id = ${value} \r\n${token}\n`)).toBe(value);
});
