import { expect, test } from 'vitest';
import { UNKNOWN, Vocabulary } from '../../src/encoding/vocabulary.ts';
import { detached } from '../../src/platform/platform.ts';

test('strings are numbered in the order of their first appearance, after the reserved numbers', () => {
  const vocabulary = new Vocabulary();
  expect(['the', 'cat', 'the'].map((string) => vocabulary.add(string))).toEqual([4, 5, 4]);
  expect(vocabulary.size).toBe(6);
  expect(vocabulary.strings()).toEqual(['the', 'cat']);
});

test('a string never seen is UNKNOWN', () => {
  expect(Vocabulary.from(['the']).idOf('a')).toBe(UNKNOWN);
});

test('a vocabulary made from its own strings gives the same numbers', () => {
  const vocabulary = Vocabulary.from(['b', 'a', '', 'ž', '🐟']);
  const again = Vocabulary.from(vocabulary.strings());
  for (const string of vocabulary.strings()) expect(again.idOf(string)).toBe(vocabulary.idOf(string));
});

test('a detached string equals the original, even with lone surrogates', () => {
  for (const string of ['', 'word', 'ž🐟', '\ud800x']) expect(detached(string)).toBe(string);
});
