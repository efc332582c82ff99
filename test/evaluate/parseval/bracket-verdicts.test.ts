import { describe, expect, test } from 'vitest';
import { bracketVerdicts } from '../../../src/evaluate/comparison/compare-phrases.ts';
import { parseBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { nodesOf, type PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';

const treeOf = (text: string) => [...parseBrackets(text)][0].tree;

function verdictsOf(goldText: string, predictedText: string) {
  const [gold, predicted] = [treeOf(goldText), treeOf(predictedText)];
  const found = bracketVerdicts(gold, predicted);
  const named = (tree: PhraseTree) =>
    nodesOf(tree).flatMap((node) => (found.has(node) ? `${node.label} ${found.get(node)}` : []));
  return { gold: named(gold), predicted: named(predicted) };
}

const gold = '(S (NP-SBJ (PRP We)) (VP (VBD saw) (NP (NN dogs)) (PP (IN in) (NP (NN town)))) (. .))';

describe('brackets of two trees', () => {
  test('are marked as missing, wrong or crossing, and words as having a wrong tag', () => {
    const attached = gold.replace(
      '(NP (NN dogs)) (PP (IN in) (NP (NN town)))',
      '(NP (NP (NN dogs)) (PP (IN in) (NP (NN town))))',
    );
    expect(verdictsOf(gold, attached)).toEqual({ gold: [], predicted: ['NP wrong'] });
    const crossed = '(S (NP (PRP We)) (VP (VP (VBD saw) (NP (NN dogs)) (IN in)) (NP (NNP town))) (. .))';
    expect(verdictsOf(gold, crossed)).toEqual({
      gold: ['PP missing'],
      predicted: ['VP crossing', 'NNP tag'],
    });
  });

  test('are right if they differ only in function tags and traces', () => {
    const traced = gold.replace('(NP (NN dogs))', '(NP-1 (NN dogs) (-NONE- *T*-1))');
    expect(verdictsOf(traced, gold)).toEqual({ gold: [], predicted: [] });
  });
});
