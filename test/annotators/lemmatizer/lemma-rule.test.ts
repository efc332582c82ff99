import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyRule,
  applyTree,
  editTree,
  ruleFrom,
  ruleOf,
  ruleText,
} from '../../../annotators/lemmatizer/lemma-rule.ts';

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'B', 'é', 'ß', 'İ'), minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
);

test('the edit tree of a form and a lemma turns the form into the lemma', () => {
  fc.assert(
    fc.property(word, word, (form, lemma) => {
      expect(applyTree(editTree(form, lemma), form)).toBe(lemma);
    }),
  );
});

test('a rule gives the lemma it was made from, and is the same after conversion to text and back', () => {
  fc.assert(
    fc.property(word, word, (form, lemma) => {
      const rule = ruleOf(form, lemma);
      expect(applyRule(rule, form)).toBe(lemma);
      expect(ruleFrom(ruleText(rule))).toEqual(rule);
    }),
  );
});

test('a rule made from one word applies to words formed alike, and to no others', () => {
  const rule = ruleOf('abgeholt', 'abholen');
  expect(applyRule(rule, 'angeholt')).toBe('anholen');
  expect(applyRule(rule, 'geholt')).toBe(undefined);
  expect(applyRule(ruleOf('Dogs', 'dog'), 'cats')).toBe('cat');
  expect(applyRule(ruleOf('Paris', 'Paris'), 'London')).toBe('London');
});

test('even very long words have an edit tree, found in bounded time', () => {
  const form = 'ab'.repeat(50_000);
  expect(applyTree(editTree(form, `${form}c`), form)).toBe(`${form}c`);
});

test.each([
  '',
  '7',
  '["upper",["a","b"]]',
  '["lower",["a"]]',
  '["lower",[-1,0,["",""],["",""]]]',
  '["lower",[0,0,["",""],1]]',
])('%s is not a rule', (text) => {
  expect(ruleFrom(text)).toBe(undefined);
});
