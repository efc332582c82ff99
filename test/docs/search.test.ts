import { expect, test } from 'vitest';
import { tokenize } from '../../site/.vitepress/search.ts';

test('a query is split into words and compounds, with synonyms; names of object properties get none', () => {
  expect(tokenize('GPU n-best')).toEqual(['GPU', 'n', 'best', 'n-best', 'speed']);
  expect(tokenize('constructor')).toEqual(['constructor']);
});
