import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  candidateRules,
  type PunctuationChoice,
  punctuationRules,
  RuleCandidates,
  scoredTokens,
} from '../../../src/evaluate/attachment/punctuation.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { sentence } from '../../support/sentences.ts';

/** The rule that one pass finds, and the number of tokens that it scores. */
function counted(choice: PunctuationChoice, sentences: readonly Sentence[]) {
  const candidates = new RuleCandidates(choice, () => ({ tokens: 0 }));
  for (const each of sentences) {
    candidates.add(each, (counts, scored) => {
      counts.tokens += scored.reduce((a, b) => a + b, 0);
    });
  }
  const { rule, excluded, counts } = candidates.chosen;
  return { rule, excluded, tokens: counts.tokens };
}

const word = fc.constantFrom(
  { form: 'dog', upos: 'NOUN', xpos: 'NN' },
  { form: '.', upos: 'PUNCT', xpos: '.' },
  { form: '!', upos: 'NOUN', xpos: '.' },
  { form: '?', upos: 'NOUN', xpos: 'NN' },
);

test('one pass finds the first rule that leaves out a token of the treebank, or the last rule if none does', () => {
  fc.assert(
    fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1 }), (treebank) => {
      const sentences = treebank.map((words) => {
        const column = (key: 'form' | 'upos' | 'xpos') => words.map((each) => each[key]).join(' ');
        const heads = words.map((_, d) => d).join(' ');
        return sentence(column('form'), heads, { upos: column('upos'), xpos: column('xpos') });
      });
      const length = sentences.reduce((sum, each) => sum + each.length, 0);
      const tokensBy = candidateRules('auto').map((rule) => ({
        rule,
        tokens: sentences
          .flatMap((each) => [...scoredTokens(each, punctuationRules[rule])])
          .reduce((a, b) => a + b, 0),
      }));
      const wanted = tokensBy.find(({ tokens }) => tokens < length) ?? tokensBy.at(-1)!;
      expect(counted('auto', sentences)).toEqual({ ...wanted, excluded: length - wanted.tokens });
    }),
  );
});

test('a rule that is given is kept, whether or not it leaves out a token', () => {
  const dog = sentence('dog', '0', { upos: 'NOUN' });
  expect(counted('ptb', [dog])).toEqual({ rule: 'ptb', excluded: 0, tokens: 1 });
  expect(counted('include', [dog])).toEqual({ rule: 'include', excluded: 0, tokens: 1 });
});
