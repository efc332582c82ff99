import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyRule, ruleOf, SplitRules } from '../../../annotators/tokenizer/split-rules.ts';
import { PAD, Units } from '../../../annotators/tokenizer/text/units.ts';
import { RuleNumbers } from '../../../annotators/tokenizer/training/paragraphs.ts';
import { InputError } from '../../../src/errors.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { surfaceTokens } from '../../../src/treebank/surface.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';

describe('the rule that a form is split by', () => {
  test.each([
    ['du', ['de', 'le'], 'u', ['e', 'le']],
    ["don't", ['do', "n't"], "n't", ['', "n't"]],
    ['Au', ['À', 'le'], 'au', ['à', 'le']],
    ['aa', ['aa', 'b'], 'a', ['a', 'b']],
    ['dámelo', ['da', 'me', 'lo'], 'ámelo', ['a', 'me', 'lo']],
  ])('for %s → %j removes %s', (form, words, suffix, parts) => {
    expect(ruleOf(form, words)).toEqual({ suffix, parts });
  });

  test.each([
    ['du', ['de', 'le'], 'Du', ['De', 'le']],
    ['du', ['de', 'le'], 'DU', ['DE', 'LE']],
    ['au', ['à', 'le'], 'Au', ['À', 'le']],
    ['au', ['à', 'le'], 'AU', ['À', 'LE']],
    ["don't", ['do', "n't"], "CAN'T", ['CA', "N'T"]],
    ["don't", ['do', "n't"], "Isn't", ['Is', "n't"]],
  ])('for %s → %j turns %s into %j', (form, words, other, expected) => {
    expect(applyRule(ruleOf(form, words), other)).toEqual(expected);
  });
});

test.each([
  ['', ['a', 'b'], 'an empty suffix or word'],
  ['u', ['a', ''], 'an empty suffix or word'],
  ['u', ['a', 'b\nc'], 'a word that holds a tab or a line end'],
  ['u', ['a\t', 'b'], 'a word that holds a tab or a line end'],
])('a model with the rule %j → %j is refused', (suffix, parts, problem) => {
  const writer = new ModelWriter();
  writer.header.tokenizer = { splits: [{ suffix, parts }] };
  const model = ModelReader.fromBuffer(modelBuffer(writer), 'x.model');
  expect(() => SplitRules.load(model)).toThrow(
    new InputError(`a split rule with ${problem}`, { file: 'x.model' }),
  );
});

test('a rule gives back the lower-case words that it was made from', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '𝓍', 'n', "'"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 2, maxLength: 4 }), (form, words) => {
      expect(applyRule(ruleOf(form, words), form)).toEqual(words);
    }),
  );
});

/** The words that a token is split into, by each rule that applies to it. */
function splitsOf(rules: SplitRules, form: string): string[][] {
  const units = new Units().read(form);
  const splits: string[][] = [];
  rules.forEach(units, PAD, units.end, (rule) => splits.push(applyRule(rules.rules[rule], form)));
  return splits;
}

test('a rule does not apply if it would leave an empty word', () => {
  const rules = new SplitRules([ruleOf("don't", ['do', "n't"]), ruleOf('du', ['de', 'le'])]);
  expect(splitsOf(rules, "n't")).toEqual([]);
  expect(splitsOf(rules, "Can't")).toEqual([['Ca', "n't"]]);
  expect(splitsOf(rules, 'u')).toEqual([['e', 'le']]);
});

const treebanks = [
  'ud-chinese-gsdsimp/zh_gsdsimp-ud-dev',
  'ud-czech-cltt/cs_cltt-ud-train',
  'ud-english-ewt/en_ewt-ud-train',
  'ud-french-sequoia/fr_sequoia-ud-train',
  'ud-hungarian-szeged/hu_szeged-ud-train',
  'ud-tamil-ttb/ta_ttb-ud-train',
  'ud-telugu-mtg/te_mtg-ud-train',
  'ud-uyghur-udt/ug_udt-ud-train',
  'ud-vietnamese-vtb/vi_vtb-ud-train',
];

for (const name of treebanks) {
  needsShared.test(`no rule of ${name} makes an empty word of its suffix alone, in capitals or not`, () => {
    const numbers = new RuleNumbers();
    for (const sentence of readSentences(readFileSync(sharedPath('treebanks', `${name}.conllu`), 'utf8'))) {
      for (const { first, last, form } of surfaceTokens(sentence)) {
        const words = last > first ? sentence.forms.slice(first, last + 1) : undefined;
        numbers.numberOf({ form, start: 0, end: form.length, words });
      }
    }
    const rules = new SplitRules(numbers.rules);
    for (const { suffix } of rules.rules) {
      const capitalized = suffix[0].toUpperCase() + suffix.slice(1);
      for (const form of [suffix, suffix.toUpperCase(), capitalized]) {
        for (const words of splitsOf(rules, form)) expect(words, form).not.toContain('');
      }
    }
  });
}

test('a model may hold more rules than a function takes arguments', () => {
  const rules = new SplitRules(Array.from({ length: 200_000 }, () => ruleOf('du', ['de', 'le'])));
  expect(splitsOf(rules, 'du')).toHaveLength(200_000);
});
