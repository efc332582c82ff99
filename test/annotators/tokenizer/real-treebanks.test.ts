import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { trainAnnotator } from '../../../annotators/train-annotator.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';

/** Trains on a treebank's train part, and scores on its dev part. */
async function scores(prefix: string, options: object) {
  const file = (part: string) => sharedPath('treebanks', `${prefix}-ud-${part}.conllu`);
  const { about } = await trainAnnotator('tokenizer', file('train'), { dev: file('dev'), options });
  return about.scores as { tokens: number; sentences: number; words: number };
}

/** UDPipe 1.2's published score of words on Vietnamese raw text is 85.37. Deciding place by place gives 87.04. */
needsShared.test('Vietnamese words, which have blanks inside, are found', async () => {
  const { words, sentences } = await scores('ud-vietnamese-vtb/vi_vtb', { epochs: 2, bits: 18 });
  expect(words).toBeGreaterThan(89.3);
  expect(sentences).toBeGreaterThan(95);
});

/** Deciding place by place gives 83.07. */
needsShared.test('Chinese words, between which there are no blanks, are found', async () => {
  const file = sharedPath('treebanks', 'ud-chinese-gsdsimp/zh_gsdsimp-ud-dev.conllu');
  const sentences = readSentences(readFileSync(file, 'utf8'));
  const [train, dev] = [sentences.slice(0, 450), sentences.slice(450)];
  const { about } = await trainAnnotator('tokenizer', inMemory(train, 'train'), {
    dev: inMemory(dev, 'dev'),
    options: { epochs: 6 },
  });
  expect(about.scores!.words).toBeGreaterThan(87);
});

needsShared.test('French tokens of several words are found and split', async () => {
  const { words, tokens } = await scores('ud-french-sequoia/fr_sequoia', { epochs: 2, bits: 18 });
  expect(tokens).toBeGreaterThan(99.3);
  expect(words).toBeGreaterThan(98.7);
});

/** UDPipe 1, trained on the same sentences, reaches 99.17, 86.44 and 98.82. */
needsShared.test('English text is cut better than by UDPipe 1, after one epoch', async () => {
  const { tokens, sentences, words } = await scores('ud-english-ewt/en_ewt', { epochs: 1 });
  expect(tokens).toBeGreaterThan(99.2);
  expect(sentences).toBeGreaterThan(87.5);
  expect(words).toBeGreaterThan(98.9);
});
