import { expect, test } from 'vitest';
import { applyRule, ruleOf } from '../../../annotators/lemmatizer/lemma-rule.ts';
import { RuleIndex } from '../../../annotators/lemmatizer/rule-chooser.ts';
import { Random } from '../../../src/learn/random.ts';

const seed = 1 + Math.floor(Math.random() * 1e6);

test(`the rules found by a form’s ending are those that fit it (seed ${seed})`, () => {
  const random = new Random(seed);
  const word = () => Array.from({ length: 1 + random.below(6) }, () => 'abABsé'[random.below(6)]).join('');
  const rules = Array.from({ length: 300 }, () => ruleOf(word(), word()));
  const index = new RuleIndex(rules);
  for (let i = 0; i < 300; i++) {
    const form = word();
    const fitting = [...rules.keys()].filter((number) => applyRule(rules[number], form) !== undefined);
    expect(index.fitting(form)).toEqual(fitting);
  }
});

test('very long words are looked up quickly', () => {
  const long = 'ab'.repeat(10_000);
  const index = new RuleIndex([
    { casing: 'asWritten', tree: { from: long, to: 'a' } },
    { casing: 'asWritten', tree: { from: 'b', to: 'c' } },
  ]);
  const before = performance.now();
  for (let i = 0; i < 20; i++) expect(index.fitting(`${i}${long}`)).toEqual([]);
  // Each once took seconds.
  expect(performance.now() - before).toBeLessThan(2000);
  expect(index.fitting(long)).toEqual([0]);
});
