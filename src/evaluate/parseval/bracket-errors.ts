import { EMPTY_ELEMENT, nodesOf, type PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import { type Bracket, flatten } from './flat-tree.ts';
import { phraseScorers, type SentenceScore, scoreSentence } from './scorers.ts';

/** Errors in brackets: missing from the prediction; wrong, that is not in gold; crossing a gold bracket. */
export const bracketErrorKinds = ['missing', 'wrong', 'crossing'] as const;

/** The wrong brackets of a sentence; crossing ones are also in `wrong`. */
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

/** Missing brackets, outer ones first, whose words the parser `given` another label. */
export function relabelledBrackets({
  missing,
  wrong,
}: BracketDifferences): { bracket: Bracket; given: string }[] {
  const left = [...wrong];
  return missing.flatMap((bracket) => {
    const at = left.findIndex(({ start, end }) => start === bracket.start && end === bracket.end);
    if (at < 0) return [];
    const [{ label: given }] = left.splice(at, 1);
    return [{ bracket, given }];
  });
}

/** A gold bracket is `missing`; a predicted one `wrong` or even `crossing`; a word has the wrong `tag`. */
export type BracketVerdict = keyof BracketDifferences | 'tag';

/** The errors in the nodes of a gold and a predicted tree of the same words, by EVALB's conventions. */
export function bracketVerdicts(
  gold: PhraseTree,
  predicted: PhraseTree,
): ReadonlyMap<PhraseTree, BracketVerdict> {
  const [goldFlat, flat] = [flatten({ tree: gold }), flatten({ tree: predicted })];
  const differences = bracketDifferences(scoreSentence(phraseScorers.evalb, goldFlat, flat));
  const verdicts = new Map<PhraseTree, BracketVerdict>();
  for (const kind of bracketErrorKinds) for (const { node } of differences[kind]) verdicts.set(node, kind);
  const goldWords = wordsOf(gold);
  wordsOf(predicted).forEach((node, i) => {
    if (node.label !== goldWords[i]?.label) verdicts.set(node, 'tag');
  });
  return verdicts;
}

export function wordsOf(tree: PhraseTree): PhraseTree[] {
  return nodesOf(tree).filter(({ form, label }) => form !== undefined && label !== EMPTY_ELEMENT);
}
