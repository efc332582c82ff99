import { PUNCTUATION_TAGS } from '../../treebank/phrases/head-rules.ts';
import type { Bracket, FlatTree } from './flat-tree.ts';

/** A convention for comparing brackets. */
interface PhraseScorer {
  readonly summary: string;
  /** The brackets that count, over the words with counted[d] = 1. */
  brackets(tree: FlatTree, counted: Uint8Array): Bracket[];
  /** Marks the words that count: entry d is 1 for these, else 0. */
  keep(tree: FlatTree, other: FlatTree): Uint8Array;
  /** The class of a label: brackets match if their classes and spans are equal. */
  labelClass(label: string): string;
}

/** Labels of the outermost bracket, which does not count: TOP (COLLINS.prm), S1, ROOT (newer files, CS 224N), '' (PTB). */
const DELETED_LABELS: ReadonlySet<string> = new Set(['TOP', 'S1', 'ROOT', '']);

export const phraseScorers = {
  /**
   * EVALB (Sekine & Collins 1997) with COLLINS.prm. A word that only one side tags as punctuation counts on both sides.
   * (EVALB itself rejects the sentence with `length unmatch` or, with newer parameter files (Ellis 2006), restores the word.)
   */
  evalb: {
    summary: 'EVALB with COLLINS.prm (punctuation left out, ADVP = PRT, equal brackets count each)',
    keep: (tree, other) =>
      Uint8Array.from(tree.tags, (tag, d) => (isDeleted(tag) && isDeleted(other.tags[d]) ? 0 : 1)),
    brackets: (tree, counted) => respanned(tree, counted).filter(({ start, end }) => start < end),
    labelClass: (label) => (label === 'PRT' ? 'ADVP' : label),
  },
  /**
   * Stanford's `LabeledConstituentEval` (CS 224N; Gong & Kuang 2014): sets of (label, start, end), so that equal brackets
   * count once. Each side leaves out the words that it tags as punctuation.
   */
  sets: {
    summary:
      "CS 224N's LabeledConstituentEval (punctuation left out by each side's own tags, equal brackets count once)",
    keep: (tree) => Uint8Array.from(tree.tags, (tag) => (isDeleted(tag) ? 0 : 1)),
    brackets: (tree, counted) => distinct(respanned(tree, counted)),
    labelClass: (label) => label,
  },
} as const satisfies Record<string, PhraseScorer>;

export type PhraseScorerName = keyof typeof phraseScorers;
const isDeleted = (tag: string): boolean => PUNCTUATION_TAGS.has(tag);

/** The brackets with counting labels; spans are over the words that count. */
function respanned({ brackets, length }: FlatTree, counted: Uint8Array): Bracket[] {
  const before = new Int32Array(length + 1);
  for (let d = 1; d <= length; d++) before[d] = before[d - 1] + counted[d];
  return brackets
    .filter(({ label }) => !DELETED_LABELS.has(label))
    .map((bracket) => ({ ...bracket, start: before[bracket.start], end: before[bracket.end] }));
}

const distinct = (brackets: readonly Bracket[]): Bracket[] => [
  ...new Map(brackets.map((bracket) => [bracketKey(bracket.label, bracket), bracket])).values(),
];

const bracketKey = (label: string, { start, end }: Pick<Bracket, 'start' | 'end'>): string =>
  `${label} ${start} ${end}`;

/** The brackets of a sentence that count, and the words, without those that both sides tag as punctuation. */
export interface SentenceScore {
  readonly gold: readonly Bracket[];
  readonly predicted: readonly Bracket[];
  readonly matched: readonly { readonly gold: Bracket; readonly predicted: Bracket }[];
  readonly crossing: readonly Bracket[];
  readonly words: number;
  readonly rightTags: number;
  readonly punctuation: number;
  /** Number of words that only one side tags as punctuation. */
  readonly disputed: number;
}

export function scoreSentence(scorer: PhraseScorer, gold: FlatTree, predicted: FlatTree): SentenceScore {
  const goldBrackets = scorer.brackets(gold, scorer.keep(gold, predicted));
  const brackets = scorer.brackets(predicted, scorer.keep(predicted, gold));
  let words = 0;
  let rightTags = 0;
  let disputed = 0;
  for (let d = 1; d <= gold.length; d++) {
    const deleted = isDeleted(gold.tags[d]);
    const deletedByOther = isDeleted(predicted.tags[d]);
    if (deleted !== deletedByOther) disputed++;
    if (deleted && deletedByOther) continue;
    words++;
    if (gold.tags[d] === predicted.tags[d]) rightTags++;
  }
  return {
    gold: goldBrackets,
    predicted: brackets,
    matched: matches(goldBrackets, brackets, scorer),
    crossing: crossings(goldBrackets, brackets, gold.length),
    ...{ words, rightTags, punctuation: gold.length - words, disputed },
  };
}

/** Matches equal brackets one to one, outer ones first. */
function matches(gold: readonly Bracket[], predicted: readonly Bracket[], { labelClass }: PhraseScorer) {
  const found = new Map<string, Bracket[]>();
  for (const bracket of predicted.toReversed()) {
    const key = bracketKey(labelClass(bracket.label), bracket);
    (found.get(key) ?? found.set(key, []).get(key)!).push(bracket);
  }
  return gold.flatMap((bracket) => {
    const match = found.get(bracketKey(labelClass(bracket.label), bracket))?.pop();
    return match === undefined ? [] : [{ gold: bracket, predicted: match }];
  });
}

/** The predicted brackets that cross a gold bracket. */
function crossings(gold: readonly Bracket[], predicted: readonly Bracket[], n: number): Bracket[] {
  const earliestStart = new Int32Array(n + 1).fill(n); // of the gold brackets that end here
  const latestEnd = new Int32Array(n + 1); // of the gold brackets that start here
  for (const { start, end } of gold) {
    earliestStart[end] = Math.min(earliestStart[end], start);
    latestEnd[start] = Math.max(latestEnd[start], end);
  }
  const crosses = ({ start, end }: Bracket) => {
    for (let i = start + 1; i < end; i++) if (earliestStart[i] < start || latestEnd[i] > end) return true;
    return false;
  };
  return predicted.filter(crosses);
}
