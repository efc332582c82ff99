import { EMPTY_ELEMENT, nodesOf, type PhraseTree } from '../../treebank/brackets/phrase-tree.ts';
import { type Bracket, flatten } from './flat-tree.ts';
import { phraseScorers, type SentenceScore, scoreSentence } from './scorers.ts';

/** How a bracket may be in error: gold's is missing; a predicted one is wrong, or even crosses one of gold's. */
export const bracketErrorKinds = ['missing', 'wrong', 'crossing'] as const;

/** The brackets of a sentence that are in error; those that cross are wrong, too. */
export type BracketDifferences = Readonly<Record<(typeof bracketErrorKinds)[number], readonly Bracket[]>>;

export function bracketDifferences({
  gold,
  predicted,
  matched,
  crossing,
}: SentenceScore): BracketDifferences {
  const found = new Set(matched.map((match) => match.gold));
  const right = new Set(matched.map((match) => match.predicted));
  return {
    missing: gold.filter((bracket) => !found.has(bracket)),
    wrong: predicted.filter((bracket) => !right.has(bracket)),
    crossing,
  };
}

/** A gold bracket, and the label that a parser has over the same words instead. */
interface RelabelledBracket {
  readonly bracket: Bracket;
  readonly given: string;
}

/** The missing brackets that have wrong ones over the same words; of several the outer ones first. */
export function relabelledBrackets({ missing, wrong }: BracketDifferences): RelabelledBracket[] {
  const left = [...wrong];
  return missing.flatMap((bracket) => {
    const at = left.findIndex(({ start, end }) => start === bracket.start && end === bracket.end);
    if (at < 0) return [];
    const [{ label: given }] = left.splice(at, 1);
    return [{ bracket, given }];
  });
}

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
