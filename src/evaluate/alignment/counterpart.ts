import type { PhraseTree } from '../../treebank/brackets/phrase-tree.ts';
import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import type { DependencyTree, Sentence } from '../../treebank/sentence.ts';

/** The head of a word that the parser does not have; −1 is that of one which has no head in the file. */
export const NOT_THERE = -2;

/** The head of a word that hangs on one that is not in the gold sentence. */
export const ELSEWHERE = -3;

/**
 * A parser's tree of a gold sentence, by gold's numbers of the words: its own tree where it has gold's words, else
 * what of it is about gold's. There a word that the parser does not have has the head `NOT_THERE` and the label
 * `''`, and one whose head is no word of the sentence the head `ELSEWHERE`: neither is right.
 */
export interface ComparedTree extends DependencyTree {
  /** How the parser has split the text; absent where its words are gold's. */
  readonly split?: OtherSplit | undefined;
  /** The phrase-structure tree that it was made of, where it was, and has gold's words. */
  readonly phrases?: PhraseTree | undefined;
}

/** A gold sentence as a parser has it: a sentence with gold's words, or what of others is about gold's (`''`: nothing). */
export interface Counterpart extends ComparedTree, Pick<Sentence, AnnotatedColumn | 'source'> {
  /** Where the words are gold's, if it is there. */
  readonly misc?: readonly string[];
}

/** What a parser makes of the characters of a gold sentence that it has split in another way. */
export interface OtherSplit {
  /** Its sentences that have characters of the gold sentence, in order. */
  readonly sentences: readonly SplitSentence[];
  /** Those that begin in the gold sentence, and are counted with it. */
  readonly beginning: readonly Sentence[];
  /** Whether one of them has just the characters of the gold sentence. */
  readonly isSentence: boolean;
  /** Its words that are counted with the gold sentence: those that gold has, too, and the others that begin there. */
  readonly words: readonly OwnWord[];
  /** Of words that hang on one of the gold sentence's, and are none of these: its number, and their labels. */
  readonly strangers: readonly { readonly head: number; readonly label: string }[];
  /** Tokens that begin in the gold sentence, and how many of them gold has, too. */
  readonly tokens: { readonly predicted: number; readonly correct: number };
}

/** A parser's sentence that is not one of gold's. */
export interface SplitSentence {
  readonly sentence: Sentence;
  /** The tags by which its words are sorted: gold's where gold has the word, else the parser's. */
  readonly tags: readonly string[];
}

export interface OwnWord {
  readonly of: SplitSentence;
  /** Its number in that sentence. */
  readonly number: number;
  /** Its number in the gold sentence; 0 where gold has no such word. */
  readonly counterpart: number;
}

/** Whether the parser has the gold word d. */
export function isThere({ heads }: DependencyTree, d: number): boolean {
  return heads[d] !== NOT_THERE;
}

/** The parser's words that gold does not have. */
export function extraWords({ split }: ComparedTree): readonly OwnWord[] {
  return split === undefined ? none : split.words.filter(({ counterpart }) => counterpart === 0);
}

const none: readonly OwnWord[] = [];
