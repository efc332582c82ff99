import { expect, test } from 'vitest';
import { contentsOf } from '../../../../combine/pipeline/training/train-pipeline.ts';
import { packSentences } from '../../../../src/treebank/packed-sentences.ts';
import { readSentences } from '../../../../src/treebank/reading/treebank-file.ts';

async function* sentencesOf(conllu: string) {
  yield* readSentences(conllu);
}

const word = '1\tTôi\t_\tPRON\t_\t_\t0\troot\t_\t_\n\n';

test.each([
  ['# text = Tôi\n', true],
  ['# text =Tôi\n', true],
  ['#text=Tôi\n', true],
  ['# text_en = I\n', false],
  ['', false],
])('a treebank with the comment %j contains its original text: %s', async (comment, hasText) => {
  const sentences = await packSentences(Object.assign(sentencesOf(comment + word), { name: 'a' }));
  expect(contentsOf(sentences)).toEqual({ hasText, tags: ['upos'], hasLemmas: false });
});
