import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import type { PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import type { DependencyTree, Sentence } from '../../treebank/sentence.ts';

/** Head of a word that the parser does not have. (−1: the file gives no head.) */
export const NOT_THERE = -2;
/** Head of a word that is attached outside the gold sentence. */
export const ELSEWHERE = -3;

/**
 * A parser's tree over the words of a gold sentence: its own, or the aligned part, where a gold word that it lacks has head
 * `NOT_THERE` and label `''`, one attached outside the sentence head `ELSEWHERE`. Neither counts as right.
 */
export interface ComparedTree extends DependencyTree {
  /** How the parser split the text; absent if it has the gold words. */
  readonly split?: OtherSplit | undefined;
  /** The phrase-structure tree that it was converted from; absent if there is none or its words differ. */
  readonly phrases?: PhraseTree | undefined;
}

/** A parser's version of a gold sentence: its own, or columns aligned with the gold words (`''`: none). */
export interface Counterpart extends ComparedTree, Pick<Sentence, AnnotatedColumn | 'source'> {
  /** Present only if the words are the gold words. */
  readonly misc?: readonly string[];
}

/** A parser's own segmentation of a gold sentence's characters. */
export interface OtherSplit {
  /** The parser's sentences that overlap with the gold sentence, in order. */
  readonly sentences: readonly SplitSentence[];
  /** The parser's sentences that begin in the gold sentence. */
  readonly beginning: readonly Sentence[];
  /** Whether one of them covers exactly the gold sentence. */
  readonly isSentence: boolean;
  /** The parser's words counted with this gold sentence: aligned words and others that begin here. */
  readonly words: readonly OwnWord[];
  /** Words outside the gold sentence with a head in it: gold's number of the head, and the label. */
  readonly strangers: readonly { readonly head: number; readonly label: string }[];
  /** Tokens that begin in the gold sentence, and how many of them match gold tokens. */
  readonly tokens: { readonly predicted: number; readonly correct: number };
}

export interface SplitSentence {
  readonly sentence: Sentence;
  /** Tags that breakdowns use: gold's for aligned words, else the parser's. */
  readonly tags: readonly string[];
}

export interface OwnWord {
  readonly of: SplitSentence;
  readonly number: number;
  /** Number of the aligned gold word; 0: none. */
  readonly counterpart: number;
}

export const isThere = ({ heads }: DependencyTree, d: number): boolean => heads[d] !== NOT_THERE;

export const extraWords = ({ split }: ComparedTree): readonly OwnWord[] =>
  split === undefined ? none : split.words.filter(({ counterpart }) => counterpart === 0);

const none: readonly OwnWord[] = [];
