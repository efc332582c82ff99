import type { Bracket, FlatTree } from './flat-tree.ts';
import { bracketKey, isDeleted, type PhraseScorer } from './scorers.ts';

/** What one sentence adds to the scores. */
export interface SentenceScore {
  /** The brackets of both sides, and of them those that match, in pairs. */
  readonly gold: readonly Bracket[];
  readonly predicted: readonly Bracket[];
  readonly matched: readonly { readonly gold: Bracket; readonly predicted: Bracket }[];
  /** Predicted brackets that cross a gold one. */
  readonly crossing: readonly Bracket[];
  /** Words that count, and of them those with the right tag. */
  readonly words: number;
  readonly rightTags: number;
  /** The other words. */
  readonly punctuation: number;
  /** Words that only one side's tag makes punctuation. */
  readonly disputed: number;
}

/** Scores one tree against another of the same words. */
export function scoreSentence(scorer: PhraseScorer, gold: FlatTree, predicted: FlatTree): SentenceScore {
  const goldBrackets = scorer.brackets(gold, scorer.keep(gold, predicted));
  const brackets = scorer.brackets(predicted, scorer.keep(predicted, gold));
  return {
    gold: goldBrackets,
    predicted: brackets,
    matched: matches(goldBrackets, brackets, scorer),
    crossing: crossings(goldBrackets, brackets, gold.length),
    ...compareTags(gold, predicted),
  };
}

/** Pairs of equal brackets; each is in one pair at most, the outer ones of equal spans first. */
function matches(gold: readonly Bracket[], predicted: readonly Bracket[], { labelClass }: PhraseScorer) {
  const found = new Map<string, Bracket[]>();
  for (const bracket of predicted.toReversed()) {
    const key = bracketKey(labelClass(bracket.label), bracket);
    const same = found.get(key);
    if (same === undefined) found.set(key, [bracket]);
    else same.push(bracket);
  }
  return gold.flatMap((bracket) => {
    const match = found.get(bracketKey(labelClass(bracket.label), bracket))?.pop();
    return match === undefined ? [] : [{ gold: bracket, predicted: match }];
  });
}

/** The predicted brackets that overlap a gold one without either being within the other; n words at most. */
function crossings(gold: readonly Bracket[], predicted: readonly Bracket[], n: number): Bracket[] {
  const earliestStart = new Int32Array(n + 1).fill(n); // of the gold brackets that end here
  const latestEnd = new Int32Array(n + 1); // of the gold brackets that start here
  for (const { start, end } of gold) {
    earliestStart[end] = Math.min(earliestStart[end]!, start);
    latestEnd[start] = Math.max(latestEnd[start]!, end);
  }
  const crosses = ({ start, end }: Bracket) => {
    for (let i = start + 1; i < end; i++) {
      if (earliestStart[i]! < start || latestEnd[i]! > end) return true;
    }
    return false;
  };
  return predicted.filter(crosses);
}

/** Words that are punctuation by both sides' tags do not count. */
function compareTags(gold: FlatTree, predicted: FlatTree) {
  let words = 0;
  let rightTags = 0;
  let disputed = 0;
  for (let d = 1; d <= gold.length; d++) {
    const deleted = isDeleted(gold.tags[d]!);
    const deletedByOther = isDeleted(predicted.tags[d]!);
    if (deleted !== deletedByOther) disputed++;
    if (deleted && deletedByOther) continue;
    words++;
    if (gold.tags[d] === predicted.tags[d]) rightTags++;
  }
  return { words, rightTags, punctuation: gold.length - words, disputed };
}
