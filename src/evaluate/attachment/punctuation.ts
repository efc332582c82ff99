import { UsageError } from '../../errors.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { type ComparedTree, extraWords, isThere, type OwnWord } from '../alignment/counterpart.ts';

/** A rule that excludes tokens from the scores, by their gold columns; words that gold lacks, by the parser's. */
export interface PunctuationRule {
  readonly summary: string;
  isPunctuation(sentence: Sentence, d: number): boolean;
}

/** The PTB tags that are ignored in Jain & Artzi's re-implementation of Yamada & Matsumoto (2003; section 4, table 3). */
const ptbTags = new Set(['``', "''", ',', ':', '.']);
/** As in CoNLL-X `eval.pl` (Buchholz & Marsi 2006). `$`, `+` and the backquote are symbols, not punctuation. */
const punctuationThroughout = /^\p{P}+$/u;

export const punctuationRules = {
  include: { summary: 'every token is scored', isPunctuation: () => false },
  upos: {
    summary: 'tokens with UPOS PUNCT are left out',
    isPunctuation: (gold, d) => gold.upos[d] === 'PUNCT',
  },
  'upos-sym': {
    summary: 'tokens with UPOS PUNCT or SYM are left out',
    isPunctuation: (gold, d) => gold.upos[d] === 'PUNCT' || gold.upos[d] === 'SYM',
  },
  ptb: {
    summary: "tokens with XPOS `` '' , : . are left out",
    isPunctuation: (gold, d) => ptbTags.has(gold.xpos[d]),
  },
  conllx: {
    summary: 'tokens whose FORM is Unicode punctuation throughout are left out, as in CoNLL-X eval.pl',
    isPunctuation: (gold, d) => punctuationThroughout.test(gold.forms[d]),
  },
} satisfies Record<string, PunctuationRule>;

export type PunctuationRuleName = keyof typeof punctuationRules;
/** A rule, or `auto`: the first of `automaticRules` that excludes a gold token, or the last if none does. */
export type PunctuationChoice = PunctuationRuleName | 'auto';
const automaticRules: readonly PunctuationRuleName[] = ['upos', 'ptb', 'conllx'];

export const punctuationChoices: readonly PunctuationChoice[] = [
  ...(Object.keys(punctuationRules) as PunctuationRuleName[]),
  'auto',
];

/** The rules that a choice admits, in order. Throws `UsageError` for an unknown name. */
export function candidateRules(choice: PunctuationChoice): readonly PunctuationRuleName[] {
  const expected = `expected one of ${punctuationChoices.join(', ')}`;
  if (!punctuationChoices.includes(choice))
    throw new UsageError(`unknown punctuation rule “${choice}”, ${expected}`);
  return choice === 'auto' ? automaticRules : [choice];
}

/** Marks the scored tokens: entry d is 1 if token d is scored; entry 0 is 0. */
export function scoredTokens(gold: Sentence, rule: PunctuationRule): Uint8Array {
  const scored = new Uint8Array(gold.length + 1);
  for (let d = 1; d <= gold.length; d++) scored[d] = rule.isPunctuation(gold, d) ? 0 : 1;
  return scored;
}

/** The scored words of a parser that gold lacks. */
export const scoredExtra = (tree: ComparedTree, rule: PunctuationRule): readonly OwnWord[] =>
  extraWords(tree).filter(({ of, number }) => !rule.isPunctuation(of.sentence, number));

/** The number of scored words in a parser's tree, `extra` of which gold lacks. */
export function scoredWords(tree: ComparedTree, scored: Uint8Array, extra: number): number {
  let words = extra;
  for (let d = 1; d < scored.length; d++) if (scored[d] !== 0 && isThere(tree, d)) words++;
  return words;
}

type Candidate<T> = { readonly rule: PunctuationRuleName; excluded: number; readonly counts: T };

/** Counts under every rule that `auto` may still select: all up to the first that excludes a token. */
export class RuleCandidates<T> {
  private candidates: readonly Candidate<T>[];

  constructor(choice: PunctuationChoice, create: () => T) {
    this.candidates = candidateRules(choice).map((rule) => ({ rule, excluded: 0, counts: create() }));
  }

  /** Counts a sentence under each rule, with `scored` as in `ComparedSentence`. */
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

  get chosen(): Candidate<T> {
    return this.candidates.at(-1)!;
  }
}
