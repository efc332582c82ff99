import { Option } from 'commander';
import { UsageError } from '../../src/errors.ts';
import {
  type PunctuationChoice,
  type PunctuationRuleName,
  punctuationChoices,
  punctuationRules,
} from '../../src/evaluate/attachment/punctuation.ts';
import { glossary, summaries } from '../terminal/help.ts';
import { plural } from '../terminal/output.ts';

export interface PunctuationFlags {
  readonly punctuation: 'include' | 'exclude';
  readonly punctuationRule?: PunctuationChoice;
}

/** The options of the commands that score. */
export const punctuationOption = () =>
  new Option('--punctuation <choice>', 'whether punctuation counts')
    .choices(['include', 'exclude'])
    .default('include');
export const punctuationRuleOption = () =>
  new Option(
    '--punctuation-rule <rule>',
    'with --punctuation exclude: what punctuation is; auto is the first of upos, ptb and conllx that finds some',
  )
    .choices(punctuationChoices.filter((choice) => choice !== 'include'))
    .default(undefined, 'auto');

/** Throws `UsageError` for a rule that is not to be used. */
export function punctuationChoice({ punctuation, punctuationRule }: PunctuationFlags): PunctuationChoice {
  if (punctuation === 'exclude') return punctuationRule ?? 'auto';
  if (punctuationRule !== undefined) {
    throw new UsageError('--punctuation-rule says what to leave out: it needs --punctuation exclude');
  }
  return 'include';
}

/** `Punctuation rule upos: tokens with UPOS PUNCT are left out; 2 tokens left out.` */
export function punctuationLine({ rule, excluded }: { rule: PunctuationRuleName; excluded: number }): string {
  const left = excluded === 0 ? '' : `; ${plural(excluded, 'token')} left out`;
  return `Punctuation rule ${rule}: ${punctuationRules[rule].summary}${left}.`;
}

/** The rules, for a command's help. */
export function punctuationHelp(): string {
  return summaries('Punctuation rules', punctuationRules);
}

/** The scores of dependencies, as the tables of `evaluate` and `compare` call them. */
const scores = {
  UAS: 'unlabelled attachment score: tokens with the right head',
  LAS: 'labelled attachment score: tokens with the right head and the right label',
  LAA: 'label accuracy: tokens with the right label, whether or not the head is right',
  root: 'root accuracy: sentences in which just the right tokens hang on the root',
  complete: 'complete rate: sentences in which every token has the right head',
  CLAS: 'labelled attachment of content words: tokens with a UD content relation, right in head and relation (F1)',
  MLAS: 'attachment with morphology: tokens that CLAS counts, right in UPOS, features and function words, too',
  BLEX: 'attachment with lemmas: tokens that CLAS counts, right in lemma, too; “–” where a file has none',
};

/** What the scores mean, for a command's help. */
export function scoresHelp(): string {
  return glossary('Scores of dependencies, in percent (of tokens, or of sentences)', scores);
}
