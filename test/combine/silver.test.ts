import { expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { Silver } from '../../src/training/training-run.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { openTreebanks } from '../../src/treebank/treebanks.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { sampleBrackets, samplePath } from '../support/sample.ts';
import { sentence, treebank } from '../support/sentences.ts';

const gold = await openTreebanks([samplePath('train')], { limit: 12 });
const found = await openTreebanks([samplePath('test')], { limit: 6 });
const bracketed = (part: 'train' | 'test', count: number) =>
  treebank(`${part}.mrg`, ...readSentences(sampleBrackets(part)).slice(0, count));

const quick = {
  graph: { bits: 14, epochs: 3 },
  transition: { bits: 14, epochs: 3, beam: 1 },
  network: { units: 8, layers: 1, epochs: 3 },
  spans: { units: 8, layers: 1, epochs: 3 },
} as const;

/** Trains a parser quickly; returns its bytes, and the number of sentences in each epoch. */
async function trained(name: keyof typeof quick, weighing: Omit<Silver, 'treebank'>) {
  const totals: number[] = [];
  const [own, others] = name === 'spans' ? [bracketed('train', 12), bracketed('test', 6)] : [gold, found];
  const { parser } = await trainParser<object>(name as never, own, {
    options: quick[name],
    silver: { treebank: others, ...weighing },
    onProgress: ({ isOver, total }) => isOver && totals.push(total),
  });
  const writer = new ModelWriter();
  parser.save(writer);
  return { bytes: Buffer.from(modelBuffer(writer)), totals };
}

test.each(Object.keys(quick) as (keyof typeof quick)[])(
  '%s weights silver trees in training and leaves them out of the last epochs',
  async (name) => {
    const whole = await trained(name, { weight: 1 });
    expect(whole.totals).toEqual([18, 18, 18]);
    const staged = await trained(name, { weight: 0.3, goldEpochs: 2 });
    expect(staged.totals).toEqual([18, 12, 12]);
    expect(staged.bytes.equals((await trained(name, { weight: 0.3, goldEpochs: 2 })).bytes)).toBe(true);
    expect(staged.bytes.equals((await trained(name, { weight: 0.9, goldEpochs: 2 })).bytes)).toBe(false);
  },
);

test('silver trees are refused by parsers that cannot weight them and by trainings without epochs for them', async () => {
  const silver = { treebank: found };
  await expect(trainParser('bigram', gold, { silver })).rejects.toThrow(
    'silver: bigram does not weigh trees with these options',
  );
  await expect(trainParser('transition', gold, { silver, options: { learner: 'svm' } })).rejects.toThrow(
    'silver: transition does not weigh trees with these options',
  );
  await expect(
    trainParser('graph', gold, { silver: { ...silver, goldEpochs: 2 }, options: { epochs: 2 } }),
  ).rejects.toThrow('goldEpochs 2: fewer than all epochs, which are 2');
  await expect(
    trainParser('graph', gold, { silver: { ...silver, goldEpochs: 1 }, dev: gold, options: { patience: 2 } }),
  ).rejects.toThrow('goldEpochs 1 does not go with patience 2, which may end training before them');
});

test('silver trees that are too long or have several roots are left out with a notice', async () => {
  const notices: string[] = [];
  const [twoRoots, long] = [sentence('a b', '0 0'), sentence('a b c', '2 3 0')];
  await trainParser('graph', treebank('gold', sentence('a b', '0 1')), {
    options: { bits: 12, epochs: 1, maxLength: 2 },
    silver: { treebank: treebank('silver', twoRoots, long, twoRoots) },
    onNotice: (notice) => notices.push(notice),
  });
  expect(notices).toEqual([
    'no tags; one root per sentence',
    '1 silver tree of more than 2 tokens left out of training',
    '2 silver trees with several roots left out of training: the model allows one',
  ]);
});

test('silver trees of held-out sentences cause a warning, however they are split into words', async () => {
  const warnings: string[] = [];
  const options = { bits: 12, epochs: 1 };
  const onWarning = (warning: string) => warnings.push(warning);
  const silver = { treebank: found };
  await trainParser('graph', gold, { options, silver, onWarning });
  await trainParser('graph', gold, {
    options,
    silver,
    onWarning,
    dev: await openTreebanks([samplePath('dev')], { limit: 15 }),
  });
  expect(warnings).toEqual([]);
  await trainParser('graph', gold, {
    options,
    silver,
    onWarning,
    dev: await openTreebanks([samplePath('test')], { limit: 30 }),
  });
  expect(warnings).toEqual([
    expect.stringMatching(
      /^6 of 30 sentences of .* are also in .*, with the same text: scores on them are too high$/,
    ),
  ]);
});
