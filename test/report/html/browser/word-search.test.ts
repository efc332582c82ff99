import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placesIn, wordSearch } from '../../../../src/report/html/browser/word-search.ts';
import type { ShownSentence } from '../../../../src/report/html/sentences/sentence-data.ts';

const shown = (words: string, text?: string) =>
  ({ forms: ['', ...words.split(' ')], text }) as unknown as ShownSentence;
const sentence = shown("I do n't like the old dog .", "I don't like the old dog.");
const found = (asked: string, of = sentence) => [...wordSearch(asked)(of)].sort((a, b) => a - b);

describe('a word search', () => {
  test('finds parts of words and of consecutive words, ignoring case', () => {
    expect(found('LIKE')).toEqual([4]);
    expect(found('the old')).toEqual([5, 6]);
    expect(found('e o')).toEqual([5, 6]);
    expect(found('old cat')).toEqual([]);
  });

  test('finds strings that occur only in the original text', () => {
    expect(found("don't")).toEqual([2, 3]);
    expect(found('dog.')).toEqual([7, 8]);
    expect(found("do n't")).toEqual([2, 3]);
  });

  test('finds whole words in quotes', () => {
    expect(found('"do"')).toEqual([2]);
    expect(found('"o"')).toEqual([]);
    expect(found('“the old dog”')).toEqual([5, 6, 7]);
    expect(found('"he old"')).toEqual([]);
  });

  test('finds what a regular expression between slashes matches', () => {
    expect(found('/d.g/')).toEqual([7]);
    expect(found('/^i/')).toEqual([1]);
    expect(found('/(?:the|old) \\w+/')).toEqual([5, 6]);
    expect(() => wordSearch('/(/')).toThrow(SyntaxError);
  });

  test('finds all words that the text writes as one', () => {
    const french = shown('Je parle de le chat .', 'Je parle du chat.');
    expect(found('du', french)).toEqual([3, 4]);
    expect(found('du chat', french)).toEqual([3, 4, 5]);
    expect(found('de le', french)).toEqual([3, 4]);
  });
});

test('placesIn finds each word in a text that consists of the words and some spaces', () => {
  const words = fc.array(fc.stringMatching(/^[ab.]{1,3}$/), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(words, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (forms, spaces) => {
      const text = forms.map((form, i) => form + (spaces[i] ? ' ' : '')).join('');
      const places = placesIn(text, ['', ...forms]).slice(1);
      expect(places.map((place) => text.slice(place!.start, place!.end))).toEqual(forms);
    }),
  );
});
