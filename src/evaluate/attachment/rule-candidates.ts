import type { Sentence } from '../../treebank/sentence.ts';
import {
  candidateRules,
  type PunctuationChoice,
  type PunctuationRule,
  type PunctuationRuleName,
  punctuationRules,
  scoredTokens,
} from './punctuation.ts';

/** What is counted under one punctuation rule. */
export interface Candidate<T> {
  readonly rule: PunctuationRuleName;
  /** Tokens left out so far. */
  excluded: number;
  readonly counts: T;
}

/**
 * Counts under every rule that a choice may still come down to, so that one pass over gold is enough: as soon
 * as a rule leaves out a token, those after it in the order of preference are given up.
 */
export class RuleCandidates<T> {
  private candidates: readonly Candidate<T>[];

  /** @throws UsageError for an unknown rule */
  constructor(choice: PunctuationChoice, create: () => T) {
    this.candidates = candidateRules(choice).map((rule) => ({ rule, excluded: 0, counts: create() }));
  }

  /** Has a sentence counted under each rule; `scored` as `scoredTokens` gives it. */
  add(gold: Sentence, count: (counts: T, scored: Uint8Array, rule: PunctuationRule) => void): void {
    for (const candidate of this.candidates) {
      const rule = punctuationRules[candidate.rule];
      const scored = scoredTokens(gold, rule);
      for (let d = 1; d <= gold.length; d++) if (scored[d] === 0) candidate.excluded++;
      count(candidate.counts, scored, rule);
    }
    const decided = this.candidates.findIndex(({ excluded }) => excluded > 0);
    if (decided >= 0) this.candidates = this.candidates.slice(0, decided + 1);
  }

  /** The first rule that has left out a token; the last if none has. */
  get chosen(): Candidate<T> {
    return this.candidates.at(-1)!;
  }
}
