import { expect, test } from 'vitest';
import { quote, visible, visibleJson, visibleLines } from '../src/visible.ts';

const hostile = '\u001b[2J\u009b5n\u0007\u007f\u2028\u202etxt\u2066\ud800';

test('a value shows control characters and line ends as escapes', () => {
  expect(visible(`a\tb\r\n${hostile}`)).toBe(
    'a\\tb\\r\\n\\u{1b}[2J\\u{9b}5n\\u{7}\\u{7f}\\u{2028}\\u{202e}txt\\u{2066}\\u{d800}',
  );
});

test('a text keeps its tabs and line ends, but a lone carriage return is escaped', () => {
  expect(visibleLines('a\tb\r\nc\n')).toBe('a\tb\r\nc\n');
  expect(visibleLines('right\rwrong')).toBe('right\\rwrong');
  expect(visibleLines(hostile)).toBe(visible(hostile));
});

test.each([
  ['combining marks', 'e\u0301 ğ̃ แม่'],
  ['writing from right to left, with its marks', 'שָׁלוֹם\u200f العَرَبِيَّة می\u200cخواهم'],
  ['emoji of several characters', '👩🏽‍🚀 🏳️‍🌈'],
  ['private-use and unassigned characters', '\ue000\u0378'],
])('%s stay as they are', (_, text) => {
  expect(visible(text)).toBe(text);
  expect(visibleLines(text)).toBe(text);
});

test('JSON keeps its meaning when it is escaped', () => {
  const value = { [hostile]: [`a\n${hostile}`, '\\u0085'] };
  const shown = visibleJson(JSON.stringify(value, null, 2));
  expect(shown).toBe(visibleLines(shown));
  expect(JSON.parse(shown)).toEqual(value);
});

test('a quotation shows invisible characters as escapes, and is cut if it is long', () => {
  expect(quote('naïve ½')).toBe('“naïve ½”');
  expect(quote('\ufeff1\t\u00a0\r')).toBe('“\\u{feff}1\\t\\u{a0}\\r”');
  expect(quote('x'.repeat(39) + '😀'.repeat(9))).toBe(`“${'x'.repeat(39)}😀…”`);
  expect(quote('x'.repeat(1_000_000))).toBe(`“${'x'.repeat(40)}…”`);
});
