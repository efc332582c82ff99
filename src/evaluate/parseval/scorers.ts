import { PUNCTUATION_TAGS } from '../../treebank/phrases/head-rules.ts';
import type { Bracket, FlatTree } from './flat-tree.ts';

/** Which brackets of a sentence's two trees are compared, and how. */
export interface PhraseScorer {
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
export function isDeleted(tag: string): boolean {
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
export function bracketKey(label: string, { start, end }: Pick<Bracket, 'start' | 'end'>): string {
  return `${label} ${start} ${end}`;
}
