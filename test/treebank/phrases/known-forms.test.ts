import { expect, test } from 'vitest';
import { knownForms } from '../../../src/treebank/phrases/known-forms.ts';

const read = (text: string, known: string) =>
  knownForms(text.split(' '), (form) => known.split(' ').includes(form)).join(' ');

const PENN = "`` '' -LRB- -RRB- -- ... 's ' ` said I yes";

test.each([
  ['" yes , " said I', "`` yes , '' said I"],
  ['“ yes ” said I', "`` yes '' said I"],
  ['yes . "', "yes . ''"],
  ['I ’s — ( … )', "I 's -- -LRB- ... -RRB-"],
  ["`` yes '' (", "`` yes '' -LRB-"],
])('words of texts are read as the Penn Treebank writes them: %s', (text, expected) => {
  expect(read(text, PENN)).toBe(expected);
});

test('words that are also property names of every object are treated as words', () => {
  expect(read('constructor toString', 'yes')).toBe('constructor toString');
});

test('words stay if the trees have them, or have them in no other spelling', () => {
  expect(read('" yes ” — [', '" -- yes')).toBe('" yes " -- [');
  expect(read("`` yes '' (", '" yes')).toBe('" yes " (');
});
