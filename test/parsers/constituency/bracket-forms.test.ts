import { expect, it } from 'vitest';
import { bracketForm } from '../../../src/treebank/phrases/phrase-tree.ts';

it.each(
  Object.entries({
    '(': '-LRB-',
    ')': '-RRB-',
    '[': '[',
    '}': '}',
    ':)': ':-RRB-',
    'f(x)': 'f-LRB-x-RRB-',
    '[1]': '[1]',
    'bánh mì': 'bánh\u00a0mì',
    '-LRB-': '-LRB-',
    '1\\/2': '1\\/2',
  }),
)('the word %s is written %s in bracketed trees', (form, written) => {
  expect(bracketForm(form)).toBe(written);
});
