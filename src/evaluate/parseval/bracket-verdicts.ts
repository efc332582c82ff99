import { EMPTY_ELEMENT, nodesOf, type PhraseTree } from '../../treebank/brackets/phrase-tree.ts';
import { flatten } from './flat-tree.ts';
import { scoreSentence } from './score-sentence.ts';
import { phraseScorers } from './scorers.ts';

/**
 * How a node is: a gold bracket that is `missing` from the predicted tree; a predicted one that is `wrong`, gold does not
 * have it, or even `crossing`, it overlaps one of gold's; a word with the wrong `tag`.
 */
export type BracketVerdict = 'missing' | 'wrong' | 'crossing' | 'tag';

/** What is wrong with the nodes of a gold tree and of a predicted one of the same words, by EVALB's conventions. */
export function bracketVerdicts(
  gold: PhraseTree,
  predicted: PhraseTree,
): ReadonlyMap<PhraseTree, BracketVerdict> {
  const [goldFlat, flat] = [flatten({ tree: gold }), flatten({ tree: predicted })];
  const score = scoreSentence(phraseScorers.evalb, goldFlat, flat);
  const [found, right] = [new Set<PhraseTree>(), new Set<PhraseTree>()];
  for (const match of score.matched) {
    found.add(match.gold.node);
    right.add(match.predicted.node);
  }
  const verdicts = new Map<PhraseTree, BracketVerdict>();
  for (const { node } of score.gold) if (!found.has(node)) verdicts.set(node, 'missing');
  for (const { node } of score.predicted) if (!right.has(node)) verdicts.set(node, 'wrong');
  for (const { node } of score.crossing) verdicts.set(node, 'crossing');
  const goldWords = wordsOf(gold);
  wordsOf(predicted).forEach((node, i) => {
    if (node.label !== goldWords[i]?.label) verdicts.set(node, 'tag');
  });
  return verdicts;
}

/** The nodes of the words, empty elements apart. */
export function wordsOf(tree: PhraseTree): PhraseTree[] {
  return nodesOf(tree).filter(({ form, label }) => form !== undefined && label !== EMPTY_ELEMENT);
}
