import { type Sentence, sentenceOf } from '../../src/treebank/sentence.ts';

/** A sentence in mini-notation: `form/UPOS/XPOS/FEATS/lemma`, separated by blanks; the last parts may be left out. */
export function wordsOf(notation: string): Sentence {
  const words = notation.trim().split(/\s+/);
  return sentenceOf(
    words.map((word) => {
      const [form, upos, xpos, feats, lemma] = word.split('/');
      return { form, upos, xpos, feats, lemma };
    }),
  );
}
