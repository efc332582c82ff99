import { expect, test } from 'vitest';
import { tokenize } from '../../site/.vitepress/search.ts';

test('a query is split into words and compounds and gets synonyms, even if a word names an object property', () => {
  expect(tokenize('GPU n-best')).toEqual(['GPU', 'n', 'best', 'n-best', 'speed']);
  expect(tokenize('constructor')).toEqual(['constructor']);
});
