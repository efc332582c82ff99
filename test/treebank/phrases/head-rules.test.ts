import { describe, expect, test } from 'vitest';
import { parseBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { bareLabel, headChild, isPunctuation } from '../../../src/treebank/phrases/head-rules.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';

function tree(text: string): PhraseTree {
  return [...parseBrackets(text, { file: 'x.mrg', line: 1 })][0]!.tree;
}

/** The label of the head child of a bracketed phrase. */
function headOf(text: string): string {
  const phrase = tree(text);
  return phrase.children[headChild(phrase)]!.label;
}

test.each([
  ['NP-SBJ-1', 'NP'],
  ['NP=2', 'NP'],
  ['ADVP|PRT', 'ADVP'],
  ['PP-LOC-CLR', 'PP'],
  ['-NONE-', '-NONE-'],
  ['-LRB-', '-LRB-'],
  ['WP$', 'WP$'],
  ["''", "''"],
  ['', ''],
])('the bare label of “%s” is “%s”', (label, bare) => {
  expect(bareLabel(label)).toBe(bare);
});

test('punctuation marks and brackets are punctuation, currency signs and phrases are not', () => {
  for (const tag of ['``', "''", ',', ':', '.', '-LRB-', '-RRB-']) {
    expect(isPunctuation({ label: tag, children: [], form: 'x' })).toBe(true);
  }
  expect(isPunctuation(tree('($ $)'))).toBe(false);
  expect(isPunctuation(tree('(: (NN dog))'))).toBe(false);
});

describe('the rules of Yamada & Matsumoto', () => {
  test.each([
    ['the verb phrase, not the subject, heads a clause', '(S (NP (NN x)) (VP (VB x)) (. .))', 'VP'],
    ['the last of two verb phrases heads a clause', '(S (VP-1 (VB x)) (CC and) (VP-2 (VB x)))', 'VP-2'],
    ['the conjunction heads a subordinate clause', '(SBAR (IN that) (S (VP (VB x))))', 'IN'],
    ['the wh-phrase heads a relative clause', '(SBAR (WHNP-1 (WP who)) (S (VP (VB x))))', 'WHNP-1'],
    [
      'the clause, not the question word, heads a question',
      '(SBARQ (WHNP (WP who)) (SQ (VP (VB x))) (. ?))',
      'SQ',
    ],
    ['the finite verb heads a yes–no question', '(SQ (VBZ is) (NP (PRP it)) (VP (VBG x)))', 'VBZ'],
    ['the modal heads its verb phrase', '(VP (MD will) (VP (VB x)))', 'MD'],
    ['infinitive to does not head its verb phrase', '(VP (TO to) (VP (VB x)))', 'VP'],
    ['the last noun of any kind heads a noun phrase', '(NP (NNP x) (NN x) (NNS x) (CD 1))', 'NNS'],
    ['the genitive ending heads a genitive', "(NP (NNP John) (POS 's))", 'POS'],
    ['an adjective heads a noun phrase rather than an inner noun phrase', '(NP (NP (NN x)) (JJ x))', 'JJ'],
    [
      'the last of several coordinated noun phrases heads them',
      '(NP (NP-1 (NN x)) (CC and) (NP-2 (NN x)))',
      'NP-2',
    ],
    ['the preposition heads its phrase', '(PP (RB just) (IN in) (NP (NN x)))', 'IN'],
    ['the first of two prepositions heads their phrase', '(PP (IN out) (TO to) (NP (NN x)))', 'IN'],
    ['the dollar sign heads an amount', '(QP ($ $) (CD 5) (CD million))', '$'],
    ['an adverb phrase is searched from the left', '(ADVP (RB very) (RBR x))', 'RB'],
    ['an adjective phrase is searched from the right', '(ADJP (RB so) (JJ old) (PP (IN x)))', 'JJ'],
    [
      'the verb phrase heads an inverted clause',
      '(SINV (S (VP (VB x))) (, ,) (VP (VB x)) (NP (NN x)))',
      'VP',
    ],
  ])('%s', (_, phrase, head) => {
    expect(headOf(phrase)).toBe(head);
  });

  test('if no class matches, the head is the first child from the rule’s end that is not punctuation', () => {
    expect(headOf('(FRAG (: --) (NP (NN x)) (PP (IN x)) (. .))')).toBe('NP');
    expect(headOf('(PRN (-LRB- -LRB-) (PP (IN x)) (NP (NN x)) (-RRB- -RRB-))')).toBe('NP');
    expect(headOf('(constructor (NN x) (VB x) (. .))')).toBe('VB');
  });

  test('a punctuation mark is the head only if the phrase has nothing else', () => {
    expect(headOf('(LST (LS 1) (: :))')).toBe('LS');
    expect(headOf('(PRN (: --) (, ,))')).toBe(',');
    expect(headOf('(FRAG (: --) (, ,))')).toBe(':');
  });
});
