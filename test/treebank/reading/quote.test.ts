import { expect, test } from 'vitest';
import { quote } from '../../../src/treebank/reading/quote.ts';

test('a quotation shows what cannot be seen, and is cut where it is long', () => {
  expect(quote('naïve ½')).toBe('“naïve ½”');
  expect(quote('\ufeff1\t\u00a0\r')).toBe('“\\u{feff}1\\t\\u{a0}\\r”');
  expect(quote('x'.repeat(39) + '😀'.repeat(9))).toBe(`“${'x'.repeat(39)}😀…”`);
  expect(quote('x'.repeat(1_000_000))).toBe(`“${'x'.repeat(40)}…”`);
});
