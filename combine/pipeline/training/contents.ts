import { type PackedSentences, unpack } from '../../../src/treebank/packed-sentences.ts';
import { isFilled, type Sentence } from '../../../src/treebank/sentence.ts';

/** What there is to learn from in a treebank, beside its trees. */
export interface Contents {
  /** It tells of the text that it was cut from. */
  hasText: boolean;
  hasTags: boolean;
  hasLemmas: boolean;
}

/** A text that is told in comments, tokens of several words, and tokens without a blank after them. */
const TEXT = /^#\s*text\s*=|^\d+-\d+\t|\bSpace(?:s?After|sBefore)=/m;

export function contentsOf(sentences: PackedSentences): Contents {
  const contents = { hasText: false, hasTags: false, hasLemmas: false };
  for (const sentence of unpack(sentences)) {
    contents.hasText ||= TEXT.test(sentence.source?.text ?? '');
    contents.hasTags ||= hasTags(sentence);
    contents.hasLemmas ||= isFilled(sentence.lemmas);
    if (contents.hasText && contents.hasTags && contents.hasLemmas) break;
  }
  return contents;
}

function hasTags({ upos, xpos, feats }: Sentence): boolean {
  return isFilled(upos) || isFilled(xpos) || isFilled(feats);
}
