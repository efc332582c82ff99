import type { TreebankPart } from '../../src/treebank/catalogue.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { samplePath } from './sample.ts';

/** The first sentences of a part of the bundled treebank. */
export async function sampleSentences(part: TreebankPart, count: number): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const one of await openTreebank(samplePath(part))) {
    if (sentences.length < count) sentences.push(one);
  }
  return sentences;
}
