import { describe, expect, it } from 'vitest';
import {
  cleaned,
  markSplits,
  type SplitName,
  splitNames,
} from '../../../parsers/constituency/syntax-tree.ts';
import { nodesOf } from '../../../src/treebank/phrases/phrase-tree.ts';
import { bracketed } from '../../support/phrases.ts';

/** Label and marks of every node, top down, in the order of the text. */
function marked(text: string, names: readonly (SplitName | 'all')[]): string[] {
  const root = cleaned(bracketed('x.mrg', text)[0]!.tree, { functions: false, unaries: 'keep' })!;
  markSplits(root, names);
  return nodesOf(root).map(({ label, marks }) => label + marks);
}

/** Each split with what it marks, an example, and the labels that are marked in it. */
const marks: readonly (readonly [SplitName, string, string, readonly string[]])[] = [
  ['unary-internal', 'phrases with one child', '(S (NP (NN x)) (VP (VB x) (RB x)))', ['NP-U']],
  ['unary-dt', 'determiners that are alone', '(S (NP (DT x)) (NP (DT x) (NN x)))', ['DT-U']],
  ['unary-rb', 'adverbs that are alone', '(S (ADVP (RB x)) (VP (VB x) (RB x)))', ['RB-U']],
  ['split-in', 'complementizers', '(SBAR (IN That) (S (VB x)))', ['IN-THAT']],
  ['split-in', 'conjunctions', '(SBAR (IN while) (S (VB x)))', ['IN-SUB']],
  ['split-in', 'prepositions by their place', '(NP (NN x) (PP (IN of) (NP (NN x))))', ['IN-N']],
  ['split-in', 'prepositions by their place', '(VP (VB x) (PP (IN of) (NP (NN x))))', ['IN-V']],
  ['split-in', 'other prepositions', '(ADJP (IN of) (PP (IN of) (NN x)))', ['IN-OTHER', 'IN-OTHER']],
  ['split-aux', 'be and have', "(VP (VBZ Is) (VBN had) (VB go) (POS 's))", ['VBZ-BE', 'VBN-HAVE']],
  ['split-cc', 'but and &', '(S (CC But) (CC &) (CC and))', ['CC-BUT', 'CC-AMPERSAND']],
  ['split-percent', 'the percent sign', '(NP (CD 5) (NN %))', ['NN-PERCENT']],
  ['tmp-np', 'expressions of time and their nouns', '(S (NP-TMP (JJ last) (NN week)))', ['NP-TMP', 'NN-TMP']],
  ['gapped-s', 'clauses without subject', '(S-1 (NP-SBJ-2 (-NONE- *)) (VP (VB x)))', ['S-GAPPED']],
  ['poss-np', 'possessives', "(NP (NP (NNP x) (POS 's)) (NN x))", ['NP-POSS']],
  ['split-vp', 'finite verb phrases', '(S (VP (MD will) (VP (VB x))))', ['VP-FINITE', 'VP-VB']],
  [
    'split-vp',
    'verb phrases by their first verb',
    '(VP (VP (TO to) (VP (VBG x))) (CC x))',
    ['VP-TO', 'VP-TO', 'VP-VBG'],
  ],
  ['base-np', 'noun phrases of words', '(NP (NP (DT x) (NN x)) (PP (IN x)))', ['NP-BASE']],
  ['dominates-v', 'phrases with a verb', '( (S (NP (NN x)) (VP (VBZ x))))', ['S-VERB', 'VP-VERB']],
  ['right-rec-np', 'noun phrases that end in one', '(NP (NN x) (PP (IN x) (NP (NN x))))', ['NP-RIGHT']],
];

describe('splits of phrases and tags', () => {
  it.each(marks)('%s marks %s', (name, _, text, expected) => {
    expect(marked(text, [name]).filter((node) => /-[A-Z]+$/.test(node))).toEqual(expected);
  });

  it('are all in the table above', () => {
    expect(new Set(marks.map(([name]) => name))).toEqual(new Set(splitNames));
  });

  it('add their marks in a fixed order, whatever the order of the options', () => {
    const text =
      '( (S (NP (NP (DT The) (NN dog)) (PP (IN of) (NP (PRP$ my) (NN aunt)))) (VP (VBZ is) (VP (VBG going)))))';
    const all = marked(text, ['all']);
    expect(all).toEqual(marked(text, [...splitNames].reverse()));
    expect(all).toContain('VP-U-VBG-VERB');
    expect(marked(text, [])).toEqual(marked(text, []).map((node) => node.replace(/-.*/, '')));
  });

  it('leave labels unmarked that are not labels of the Penn Treebank', () => {
    const text = '(CS (NG (Dét le) (Nom chien)) (VG (Verbe dort) (Adv bien)))';
    expect(marked(text, ['all']).filter((node) => node.includes('-'))).toEqual([]);
  });
});
