import { expect, test } from 'vitest';
import { plainWords } from '../../../annotators/text-words.ts';
import { LINE_END } from '../../../src/learn/skip-gram/layout.ts';
import { TextWords } from '../../../src/training/skip-gram/text-words.ts';

test('words are numbered by frequency, then by place; rare words and lines of rare words only are left out', () => {
  const text = new TextWords();
  for (const line of ['b a c', 'd', '', 'a b b']) text.add(line.split(' ').filter((word) => word !== ''));
  const { words, counts, text: numbers } = text.vocabulary(2);
  expect(words).toEqual(['b', 'a']);
  expect([...counts]).toEqual([3, 2]);
  expect([...numbers]).toEqual([0, 1, LINE_END, 1, 0, 0, LINE_END]);
  expect(text.count).toBe(7);
});

test('the plain rule separates words from punctuation and removes soft hyphens', () => {
  expect(plainWords('„Nem-e, O’Neill?” 3.14 és 1,5; a.b szoká\u00adsai')).toEqual([
    '„',
    'Nem-e',
    ',',
    'O’Neill',
    '?',
    '”',
    '3.14',
    'és',
    '1,5',
    ';',
    'a',
    '.',
    'b',
    'szokásai',
  ]);
});
