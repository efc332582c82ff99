import { Option } from 'commander';
import { UsageError } from '../../src/errors.ts';
import type { PunctuationChoice, PunctuationRuleName } from '../../src/evaluate/attachment/punctuation.ts';
import { punctuationChoices, punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { glossary, summaries } from '../terminal/help.ts';
import { plural } from '../terminal/output.ts';
import { choiceOption } from './common.ts';

export interface PunctuationFlags {
  readonly punctuation: 'include' | 'exclude';
  readonly punctuationRule?: PunctuationChoice;
}

export const punctuationOptions = () => [
  new Option('--punctuation <choice>', 'whether punctuation counts')
    .choices(['include', 'exclude'])
    .default('include'),
  choiceOption(
    '--punctuation-rule <rule>',
    'with --punctuation exclude: how punctuation is recognised; auto: the first of upos, ptb and conllx that finds any',
    punctuationChoices.filter((choice) => choice !== 'include'),
    'auto',
  ),
];

/** Reads the choice; throws `UsageError` for a rule without `--punctuation exclude`. */
export function punctuationChoice({ punctuation, punctuationRule }: PunctuationFlags): PunctuationChoice {
  if (punctuation === 'exclude') return punctuationRule ?? 'auto';
  if (punctuationRule !== undefined) throw new UsageError('--punctuation-rule needs --punctuation exclude');
  return 'include';
}

/** `Punctuation rule upos: tokens with UPOS PUNCT are left out; 2 tokens left out.` */
export function punctuationLine({ rule, excluded }: { rule: PunctuationRuleName; excluded: number }): string {
  const left = excluded === 0 ? '' : `; ${plural(excluded, 'token')} left out`;
  return `Punctuation rule ${rule}: ${punctuationRules[rule].summary}${left}.`;
}

export const punctuationHelp = () => summaries('Punctuation rules', punctuationRules);

const scores = {
  UAS: 'unlabelled attachment score: tokens with the correct head',
  LAS: 'labelled attachment score: tokens with the correct head and label; subtypes count (CoNLL-X)',
  LAA: 'label accuracy: tokens with the correct label, whatever their head; subtypes count',
  root: 'root accuracy: sentences in which exactly the gold roots are roots',
  complete: 'complete rate: sentences in which every token has the correct head',
  'UD LAS': 'the LAS of UD’s eval.py: subtypes do not count, punctuation always does (F1)',
  CLAS: 'UD LAS of content words: tokens with a UD content relation, correct head and relation (F1)',
  MLAS: 'UD LAS with morphology: tokens as in CLAS, with correct UPOS, features and function words, too',
  BLEX: 'UD LAS with lemmas: tokens as in CLAS, with correct lemmas, too; “–” if a file has none',
};

export const scoresHelp = () =>
  glossary('Scores of dependencies, in percent (of tokens, or of sentences)', scores);
