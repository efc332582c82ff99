import type { PhraseReport } from '../../parseval/score-phrases.ts';
import type { Interval } from '../../significance/bootstrap.ts';
import type { PairTests, Ranking } from '../comparison.ts';

/**
 * How several parsers' phrase-structure trees compare, by EVALB's conventions. Plain data, ready for JSON; parsers are
 * referred to by their index.
 */
export interface PhraseComparison {
  readonly parsers: readonly ComparedPhraseParser[];
  readonly rounds: number;
  readonly seed: number;
  /** Of every pair: the difference in F1, by stratified shuffling, corrected over all pairs. */
  readonly pairs: readonly PhrasePair[];
  /** By F1. */
  readonly ranking: Pick<Ranking, 'order' | 'groups'>;
  /** What is wrong by the label of the bracket, most gold brackets first. */
  readonly byLabel: readonly BracketErrors[];
  /** The same by the number of words that the bracket spans. */
  readonly bySpan: readonly BracketErrors[];
  /** Brackets over the same words with another label, most frequent first. */
  readonly relabelled: readonly RelabelledBrackets[];
}

export interface ComparedPhraseParser {
  readonly name: string;
  readonly report: Omit<PhraseReport, 'f1Counts'>;
  /** Bootstrap confidence interval of F1. */
  readonly interval: Interval;
}

export interface PhrasePair {
  readonly a: number;
  readonly b: number;
  readonly test: Pick<PairTests, 'difference' | 'shuffling'>;
}

/** Every list has one entry a parser. */
export interface BracketErrors {
  /** A label, or a number of words: `3-5`. */
  readonly bucket: string;
  /** Gold brackets. */
  readonly gold: number;
  /** Gold brackets that the parser does not have. */
  readonly missing: readonly number[];
  /** Brackets of the parser that gold does not have, and of them those that cross one of gold's. */
  readonly wrong: readonly number[];
  readonly crossing: readonly number[];
}

export interface RelabelledBrackets {
  readonly gold: string;
  readonly predicted: string;
  readonly counts: readonly number[];
}
