import { expect, test } from 'vitest';
import { spacesAfter, surfaceText } from '../support/sample-conllu.ts';

/** The text of words given as `tag/form`, separated by spaces. */
function textOf(tokens: string): string {
  const pairs = ['/', ...tokens.split(' ')].map((token) => token.split(/\/(.*)/s));
  const tags = pairs.map(([tag]) => tag!);
  const forms = pairs.map(([, form]) => form!);
  return surfaceText(forms, spacesAfter(forms, tags));
}

test.each([
  ['marks stand right after the word', 'NN/tea ,/, NN/milk ./.', 'tea, milk.'],
  [
    'colons and semicolons stand right after the word; dashes do not',
    'NN/a :/: NN/b :/; NN/c :/-- NN/d',
    'a: b; c -- d',
  ],
  ['quotation marks touch the words that they enclose', "``/`` VB/Go ,/, ''/'' PRP/he", '"Go," he'],
  ['brackets touch the words that they enclose', 'NN/a -LRB-/-LRB- NN/b -RRB-/-RRB- NN/c', 'a (b) c'],
  [
    'enclitics belong to the word before them',
    "VBP/do RB/n't PRP/it VBZ/'s NNP/Ann POS/'s",
    "don't it's Ann's",
  ],
  ['a plural genitive', "NNS/boys POS/' NN/hat", "boys' hat"],
  ['can not becomes one word, other verbs with not do not', 'MD/can RB/not MD/may RB/not', 'cannot may not'],
  ['currency and percent signs', '$/$ CD/5 CC/or CD/6 NN/%', '$5 or 6%'],
  ['Penn’s escapes are undone', 'CD/1\\/2 NN/a\\*b', '1/2 a*b'],
])('%s', (_, tokens, text) => {
  expect(textOf(tokens)).toBe(text);
});

test('there is no space before the first word nor after the last', () => {
  expect(spacesAfter(['', 'a', 'b'], ['', 'NN', 'NN'])).toEqual([true, true, false]);
  expect(textOf('NN/a')).toBe('a');
});
