import { PUNCTUATION_TAGS } from '../../treebank/phrases/head-rules.ts';
import type { Bracket, FlatTree } from './flat-tree.ts';

/** Which brackets of a sentence's two trees are compared, and how. */
interface PhraseScorer {
  readonly summary: string;
  /** The brackets that count; `kept[d]` is 1 for the words that do. */
  brackets(tree: FlatTree, kept: Uint8Array): Bracket[];
  /** Which words (1…n) of one side count. */
  keep(tree: FlatTree, other: FlatTree): Uint8Array;
  /** Brackets match where this and the span are equal. */
  labelClass(label: string): string;
}

/**
 * Labels of the outermost bracket, which does not count: COLLINS.prm's TOP, what newer parameter files and
 * Stanford's CS 224N call it, and the Penn Treebank's bracket without a label.
 */
const DELETED_LABELS: ReadonlySet<string> = new Set(['TOP', 'S1', 'ROOT', '']);

export const phraseScorers = {
  /**
   * EVALB (Sekine & Collins 1997) with COLLINS.prm. Where the two sides' tags disagree on whether a word is
   * punctuation, EVALB refuses the sentence (`length unmatch`) or, with newer parameter files (Ellis 2006),
   * puts the word back; here it counts on both sides whatever the word is.
   */
  evalb: {
    summary: 'EVALB with COLLINS.prm (punctuation left out, ADVP = PRT, equal brackets count each)',
    keep: (tree, other) =>
      Uint8Array.from(tree.tags, (tag, d) => (isDeleted(tag) && isDeleted(other.tags[d]!) ? 0 : 1)),
    brackets: (tree, kept) => respanned(tree, kept).filter(({ start, end }) => start < end),
    labelClass: (label) => (label === 'PRT' ? 'ADVP' : label),
  },
  /**
   * `LabeledConstituentEval`, the scorer of the courses on parsing at Stanford (CS 224N; Gong & Kuang 2014
   * score by it) and Berkeley. It compares sets of (label, start, end), so that equal brackets count once.
   * Punctuation is taken out of the spans by each side's own tags.
   */
  sets: {
    summary:
      "CS 224N's LabeledConstituentEval (punctuation left out by each side's own tags, equal brackets count once)",
    keep: (tree) => Uint8Array.from(tree.tags, (tag) => (isDeleted(tag) ? 0 : 1)),
    brackets: (tree, kept) => distinct(respanned(tree, kept)),
    labelClass: (label) => label,
  },
} as const satisfies Record<string, PhraseScorer>;

export type PhraseScorerName = keyof typeof phraseScorers;

/** Whether words of a tag do not count: COLLINS.prm's list, but for empty elements, which are gone already. */
function isDeleted(tag: string): boolean {
  return PUNCTUATION_TAGS.has(tag);
}

/** The brackets whose labels count, their spans over the kept words alone. */
function respanned({ brackets, length }: FlatTree, kept: Uint8Array): Bracket[] {
  const before = new Int32Array(length + 1);
  for (let d = 1; d <= length; d++) before[d] = before[d - 1]! + kept[d]!;
  return brackets
    .filter(({ label }) => !DELETED_LABELS.has(label))
    .map((bracket) => ({ ...bracket, start: before[bracket.start]!, end: before[bracket.end]! }));
}

function distinct(brackets: readonly Bracket[]): Bracket[] {
  return [...new Map(brackets.map((bracket) => [bracketKey(bracket.label, bracket), bracket])).values()];
}

/** A label (or what it counts as) and a span, as one value. Labels have no spaces. */
function bracketKey(label: string, { start, end }: Pick<Bracket, 'start' | 'end'>): string {
  return `${label} ${start} ${end}`;
}

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
