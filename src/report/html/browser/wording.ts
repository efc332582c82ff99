import { wrongMark } from '../../trees/verdict.ts';

/** How it is said where trees differ from the one that they are compared with. */
export interface Wording {
  /** What the tree is called that the others are compared with. */
  readonly reference: string;
  /** Stands before the labels of arcs that differ, so that colour is not all that tells. */
  readonly mark: string;
  /** Of a tree that does not differ. */
  readonly none: string;
  /** Of a tree that differs in so many words. */
  readonly some: (words: number, total: number) => string;
  /** Of a word, or before words, where a tree differs. */
  readonly differing: string;
}

/** Of parsers' trees and the right one. */
export const againstGold: Wording = {
  reference: 'Gold',
  mark: wrongMark,
  none: 'all right',
  some: (words, total) => `${words} of ${total} wrong`,
  differing: 'wrong',
};
