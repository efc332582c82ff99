import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyRule, ruleOf } from '../../../../annotators/tokenizer/words/split-rules.ts';

describe('the rule that a form is split by', () => {
  test.each([
    ['du', ['de', 'le'], 'u', ['e', 'le']],
    ["don't", ['do', "n't"], "n't", ['', "n't"]],
    ['Au', ['À', 'le'], 'au', ['à', 'le']],
    ['aa', ['aa', 'b'], 'a', ['a', 'b']],
    ['dámelo', ['da', 'me', 'lo'], 'ámelo', ['a', 'me', 'lo']],
  ])('%s → %j takes %s away', (form, words, suffix, parts) => {
    expect(ruleOf(form, words)).toEqual({ suffix, parts });
  });

  test.each([
    ['du', ['de', 'le'], 'Du', ['De', 'le']],
    ['du', ['de', 'le'], 'DU', ['DE', 'LE']],
    ['au', ['à', 'le'], 'Au', ['À', 'le']],
    ['au', ['à', 'le'], 'AU', ['À', 'LE']],
    ["don't", ['do', "n't"], "CAN'T", ['CA', "N'T"]],
    ["don't", ['do', "n't"], "Isn't", ['Is', "n't"]],
  ])('of %s → %j makes of %s %j', (form, words, other, expected) => {
    expect(applyRule(ruleOf(form, words), other)).toEqual(expected);
  });
});

test('a rule gives back the words that it was made of, where they are in lower case', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '𝓍', 'n', "'"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 2, maxLength: 4 }), (form, words) => {
      expect(applyRule(ruleOf(form, words), form)).toEqual(words);
    }),
  );
});
