import { expect, test } from 'vitest';
import { tokenize } from '../../site/.vitepress/search.ts';

test('a query has its words, compounds and synonyms; words that every object has are none', () => {
  expect(tokenize('GPU n-best')).toEqual(['GPU', 'n', 'best', 'n-best', 'speed']);
  expect(tokenize('constructor')).toEqual(['constructor']);
});
