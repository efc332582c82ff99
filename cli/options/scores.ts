import { glossary } from '../terminal/help.ts';

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
