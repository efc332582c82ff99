import { expect, test } from 'vitest';
import { parseBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { dependenciesOfPhrases } from '../../../src/treebank/phrases/dependencies.ts';

function tagged(text: string): string {
  const { tree } = [...parseBrackets(text, { file: 'x.mrg', line: 1 })][0]!;
  const { forms, upos, xpos } = dependenciesOfPhrases(tree);
  return forms.map((form, i) => `${form}/${upos[i]}/${xpos[i]}`).join(' ');
}

test.each([
  [
    'nouns and their modifiers',
    '(NP (PDT all) (DT the) (JJ big) (NNS dogs))',
    'all/DET/PDT the/DET/DT big/ADJ/JJ dogs/NOUN/NNS',
  ],
  ['names and genitives', "(NP (NP (NNP Ann) (POS 's)) (CD 2))", "Ann/PROPN/NNP 's/PART/POS 2/NUM/CD"],
  ['pronouns', '(S (NP (EX there)) (NP (PRP$ my)) (NP (WP who)))', 'there/PRON/EX my/PRON/PRP$ who/PRON/WP'],
  ['money', '(NP (QP (# #) (CD 5)) ($ $))', '#/SYM/# 5/NUM/CD $/SYM/$'],
  ['brackets and marks', '(NP (-LRB- -LRB-) (`` ``) (: --))', '-LRB-/PUNCT/-LRB- ``/PUNCT/`` --/PUNCT/:'],
  ['foreign and unknown tags', '(X (FW ad) (constructor hoc))', 'ad/X/FW hoc/X/constructor'],
])('%s have the universal tags of their Penn tags', (_, text, expected) => {
  expect(tagged(text).slice('// '.length)).toBe(expected);
});

test.each([
  ['be is an auxiliary, copula or not', "(S (VP (VBZ 's) (ADJP (JJ x))))", "'s/AUX/VBZ x/ADJ/JJ"],
  [
    'have with a verb phrase beside it is an auxiliary',
    '(VP (VBP have) (VP (VBN x)))',
    'have/AUX/VBP x/VERB/VBN',
  ],
  ['have with an object is a verb', '(VP (VBP have) (NP (NN x)))', 'have/VERB/VBP x/NOUN/NN'],
  ['other verbs are verbs whatever follows', '(VP (VBP keep) (VP (VBG x)))', 'keep/VERB/VBP x/VERB/VBG'],
  ['infinitive to is a particle', '(VP (TO to) (VP (VB x)))', 'to/PART/TO x/VERB/VB'],
  ['prepositional to is an adposition', '(PP (TO to) (NP (NN x)))', 'to/ADP/TO x/NOUN/NN'],
  [
    'a conjunction that heads a clause subordinates',
    '(SBAR (IN if) (S (VP (VB x))))',
    'if/SCONJ/IN x/VERB/VB',
  ],
  ['a determiner alone in its phrase is a pronoun', '(NP (DT this))', 'this/PRON/DT'],
  [
    'not is a particle, other adverbs are not',
    "(ADVP (RB n't) (RB Not) (RB now))",
    "n't/PART/RB Not/PART/RB now/ADV/RB",
  ],
])('%s', (_, text, expected) => {
  expect(tagged(text).slice('// '.length)).toBe(expected);
});
