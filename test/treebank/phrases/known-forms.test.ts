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

test('words that are names of properties of every object are words', () => {
  expect(read('constructor toString', 'yes')).toBe('constructor toString');
});

test('words that trees have stay, and words that they have in no spelling', () => {
  expect(read('" yes ” — [', '" -- yes')).toBe('" yes " -- [');
  expect(read("`` yes '' (", '" yes')).toBe('" yes " (');
});
