import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import type { PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import type { DependencyTree, Sentence } from '../../treebank/sentence.ts';

/** The head of a gold word that the parser lacks. (−1 means that the file gives no head.) */
export const NOT_THERE = -2;
/** The head of a word that the parser attaches outside the gold sentence. */
export const ELSEWHERE = -3;

/**
 * A parser's tree over the words of a gold sentence. If the parser split the text differently, it is made from aligned
 * words: a gold word that the parser lacks has head `NOT_THERE` and label `''`, one attached outside the gold sentence has
 * head `ELSEWHERE`. Neither counts as right.
 */
export interface ComparedTree extends DependencyTree {
  /** The parser's tokens and sentences; absent if it has the gold words. */
  readonly split?: OtherSplit | undefined;
  /** The phrase-structure tree that it was converted from; absent if the words differ. */
  readonly phrases?: PhraseTree | undefined;
}

/** A parser's version of a gold sentence: its sentence, or columns aligned with the gold words (`''` for missing words). */
export interface Counterpart extends ComparedTree, Pick<Sentence, AnnotatedColumn | 'source'> {
  /** Present only if the words are the gold words. */
  readonly misc?: readonly string[];
}

/** A parser's tokens and sentences in the text of a gold sentence. */
export interface OtherSplit {
  /** The parser's sentences that overlap with the gold sentence, in order. */
  readonly sentences: readonly SplitSentence[];
  /** The parser's sentences that begin in the gold sentence. */
  readonly beginning: readonly Sentence[];
  /** Whether one of them covers exactly the gold sentence. */
  readonly isSentence: boolean;
  /** The parser's words that count for this gold sentence: words aligned with it, and others that begin in it. */
  readonly words: readonly OwnWord[];
  /** The parser's words that do not count for this sentence but have a head in it: the head's gold number, the label. */
  readonly outsideDependents: readonly { readonly head: number; readonly label: string }[];
  /** Tokens that begin in the gold sentence, and how many of them match gold tokens. */
  readonly tokens: { readonly predicted: number; readonly correct: number };
}

export interface SplitSentence {
  readonly sentence: Sentence;
  /** Tags for breakdowns: gold tags of aligned words, the parser's of others. */
  readonly tags: readonly string[];
}

/** Word `number` of a parser's sentence. */
export interface OwnWord {
  readonly of: SplitSentence;
  readonly number: number;
  /** Number of the aligned gold word; 0: none. */
  readonly counterpart: number;
}

/** Whether the parser has gold word d. */
export const isThere = ({ heads }: DependencyTree, d: number): boolean => heads[d] !== NOT_THERE;

/** The parser's words that gold lacks. */
export const extraWords = ({ split }: ComparedTree): readonly OwnWord[] =>
  split === undefined ? none : split.words.filter(({ counterpart }) => counterpart === 0);

const none: readonly OwnWord[] = [];
