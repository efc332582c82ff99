import type { WordRows } from '../lexicon/substate-lexicon.ts';
import type { RuleColumns } from './inventory.ts';
import type { SplitGrammar } from './split-grammar.ts';

/** Rules with the number of times that each was seen. */
export interface CountedRules extends RuleColumns {
  readonly counts: Int32Array;
}

/** The grammar of a first look: symbols without what tells phrases of one label apart. */
export interface CoarseTables {
  /** The symbol above every tree. */
  readonly start: number;
  /** The label of each symbol in a tree; undefined for the start and for intermediate symbols. */
  readonly labels: readonly (string | undefined)[];
  /** How often each symbol was seen. */
  readonly occurrences: Int32Array;
  readonly rules: CountedRules;
  /** The labels of the phrases that each rule with one child passes through on the way down. */
  readonly paths: readonly (readonly string[])[];
}

/** The grammar that splitting began with: its symbols are the states of the plain grammar. */
export interface FineTables {
  readonly rules: CountedRules;
  /** The coarse symbol and the coarse rule that each symbol and rule stands for. */
  readonly coarseSymbols: Int32Array;
  readonly coarseRules: Int32Array;
}

/** A grammar with split symbols, and how often its tags' substates are expected of words: see SubstateLexicon. */
export interface Member {
  readonly grammar: SplitGrammar;
  readonly counts: Float32Array;
}

/**
 * Grammars with latent substates that decide together: several stages of learning, from several seeds (Petrov 2010,
 * "Products of random latent variable grammars", N10-1003).
 */
export interface LatentGrammar {
  readonly coarse: CoarseTables;
  readonly fine: FineTables;
  readonly rows: WordRows;
  /** By seed, then by stage. */
  readonly members: readonly (readonly Member[])[];
}
