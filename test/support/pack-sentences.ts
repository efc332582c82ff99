import type { ComparedSentence } from '../../src/evaluate/compared-sentence.ts';
import { SentencePacker } from '../../src/report/html/sentences/pack-sentences.ts';
import type { SentenceData } from '../../src/report/html/sentences/sentence-data.ts';

/** All the sentences, packed as in a page. */
export function packSentences(
  parsers: readonly string[],
  sentences: readonly ComparedSentence[],
): SentenceData {
  const packer = new SentencePacker(parsers);
  for (const sentence of sentences) packer.add(sentence);
  return packer.data();
}
