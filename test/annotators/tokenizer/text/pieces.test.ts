import { describe, expect, test } from 'vitest';
import type { TextLayout } from '../../../../annotators/annotator.ts';
import {
  LONGEST_PIECE,
  LONGEST_SENTENCE,
  lineBreaksIn,
  Pieces,
} from '../../../../annotators/tokenizer/text/pieces.ts';
import { InputError } from '../../../../src/errors.ts';

/** The pieces of a text; all but the last character is taken from a piece that is not yet whole. */
function piecesOf(chunks: readonly string[], layout: TextLayout = 'text') {
  const found: string[] = [];
  const pieces = new Pieces('a.txt', layout, (text, isWhole) => {
    const done = isWhole ? text.length : text.length - 1;
    found.push(text.slice(0, done));
    return done;
  });
  for (const chunk of chunks) pieces.push(chunk);
  pieces.end();
  return { found, lead: pieces.lead };
}

describe('a piece', () => {
  test('is a paragraph with the white space after it', () => {
    expect(piecesOf(['a b\nc\n', '\n\n d', ' \r', '\n', '\r\ne\n'])).toEqual({
      found: ['a b\nc\n\n\n ', 'd \r\n\r\n', 'e\n'],
      lead: '',
    });
  });

  test('is a line in the layout “lines”', () => {
    expect(piecesOf(['a b\r', '\n\nc'], 'lines').found).toEqual(['a b\r\n\n', 'c']);
  });

  test('does not begin with white space: that at the beginning of the text is kept apart', () => {
    expect(piecesOf([' \n', '\n\ta', 'b'])).toEqual({ found: ['ab'], lead: ' \n\n\t' });
    expect(piecesOf([' \n'])).toEqual({ found: [], lead: '' });
  });

  test('of a long paragraph never ends inside a character', () => {
    const text = '👩'.repeat(LONGEST_PIECE);
    const { found } = piecesOf([...Array(LONGEST_PIECE)].flatMap(() => ['\ud83d', '\udc69']));
    expect(found.join('')).toBe(text);
    expect(found.length).toBeGreaterThan(1);
    expect(piecesOf([text])).toEqual(piecesOf([text.slice(0, 777), text.slice(777)]));
  });
});

describe.each([
  ['lines', '\n', 'a line break'],
  ['tokens', '\n\n', 'a blank line'],
] as const)('a sentence in the layout “%s”', (layout, end, expected) => {
  test('is one piece, however long', () => {
    const [first, second] = ['a'.repeat(3 * LONGEST_PIECE) + end, 'b c'];
    expect(piecesOf([first, second], layout).found).toEqual([first, second]);
  });

  test('of more than 1,048,576 characters is refused', () => {
    const most = 'a'.repeat(LONGEST_SENTENCE);
    expect(piecesOf(['b', end, most, end, 'c'], layout).found).toHaveLength(3);
    expect(() => piecesOf(['b', end, most, 'a'], layout)).toThrow(
      new InputError(`a sentence of more than 1,048,576 characters, expected ${expected}`, {
        file: 'a.txt',
        line: 1 + end.length,
      }),
    );
  });
});

test('too much white space in a row is refused', () => {
  expect(() => piecesOf(['a\r\nb\r', '\nc\n', ' \n'.repeat(2 ** 23)])).toThrow(
    new InputError('more than 16,777,216 consecutive characters of white space, expected text', {
      file: 'a.txt',
      line: 3,
    }),
  );
});

test.each([
  ['\n', 1],
  ['\r\n', 1],
  ['\r', 1],
  ['\n\r\n', 2],
  ['\r\r', 2],
  [' \t\u00a0', 0],
  ['\u2028', 1],
  ['\u2029', 2],
  ['\u0085\f', 2],
])('%j has %i line breaks', (space, breaks) => {
  expect(lineBreaksIn(space)).toBe(breaks);
});
