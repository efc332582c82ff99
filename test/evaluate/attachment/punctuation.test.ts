import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import {
  candidateRules,
  type PunctuationChoice,
  type PunctuationRuleName,
  punctuationRules,
  scoredTokens,
} from '../../../src/evaluate/attachment/punctuation.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const gold = sentence("`` 5 % : $ ok '' ¿ - -LRB- .", '6 6 6 6 6 0 6 6 6 6 6', {
  upos: 'PUNCT NUM SYM PUNCT SYM ADJ PUNCT PUNCT SYM PUNCT PUNCT',
  xpos: "`` CD NN : $ JJ '' . HYPH -LRB- .",
});

function leftOut(rule: PunctuationRuleName): string[] {
  const scored = scoredTokens(gold, punctuationRules[rule]);
  return gold.forms.filter((_, d) => d > 0 && scored[d] === 0);
}

describe('the punctuation rule', () => {
  test('include leaves nothing out', () => expect(leftOut('include')).toEqual([]));

  test('upos leaves out UPOS PUNCT', () =>
    expect(leftOut('upos')).toEqual(['``', ':', "''", '¿', '-LRB-', '.']));

  test('upos-sym leaves out UPOS PUNCT and SYM, as Jain & Artzi do for Spanish', () =>
    expect(leftOut('upos-sym')).toEqual(['``', '%', ':', '$', "''", '¿', '-', '-LRB-', '.']));

  test("ptb leaves out XPOS `` '' , : . but no brackets and no hyphens, as Jain & Artzi do", () =>
    expect(leftOut('ptb')).toEqual(['``', ':', "''", '¿', '.']));

  test('conllx leaves out forms of Unicode punctuation throughout: not $, not two backquotes, not -LRB-', () =>
    expect(leftOut('conllx')).toEqual(['%', ':', "''", '¿', '-', '.']));

  test('that does not exist is a usage error that lists the existing rules', () => {
    const choose = () => candidateRules('PTB' as PunctuationChoice);
    expect(choose).toThrow(UsageError);
    expect(choose).toThrow(
      'unknown punctuation rule “PTB”, expected one of include, upos, upos-sym, ptb, conllx, auto',
    );
  });
});

describe('auto takes the first of upos, ptb, conllx that leaves a token of the gold file out', () => {
  const plain = sentence('so it goes', '3 3 0', { upos: 'ADV PRON VERB', xpos: 'RB PRP VBZ' });
  const choice = async (upos: string, xpos: string) => {
    const last = sentence('it goes .', '2 0 2', { upos, xpos });
    const { punctuation } = await evaluate(treebank('g', plain, last), treebank('p', plain, last), {
      punctuation: 'auto',
    });
    return punctuation;
  };

  test('upos if some token of the file is tagged PUNCT', async () =>
    expect(await choice('PRON VERB PUNCT', 'PRP VBZ .')).toEqual({ rule: 'upos', excluded: 1 }));

  test('ptb if the coarse column contains no PUNCT but the fine one a PTB punctuation tag', async () =>
    expect(await choice('PRP VBZ .', 'PRP VBZ .')).toEqual({ rule: 'ptb', excluded: 1 }));

  test('conllx if neither tag set is known', async () =>
    expect(await choice('p v f', 'p v fp')).toEqual({ rule: 'conllx', excluded: 1 }));
});
