import { expect, test } from 'vitest';
import { trainAnnotator } from '../../annotators/train-annotator.ts';
import { trainParser } from '../../combine/train-parser.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { NamedScores, Silver, TrainingProgress } from '../../src/training/training-run.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { openTreebanks } from '../../src/treebank/treebanks.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { sampleBrackets, samplePath } from '../support/sample.ts';
import { treebank } from '../support/sentences.ts';

const gold = await openTreebanks([samplePath('train')], { limit: 30 });
const found = await openTreebanks([samplePath('test')], { limit: 15 });
const bracketed = (part: 'train' | 'test', count: number) =>
  treebank(`${part}.mrg`, ...readSentences(sampleBrackets(part)).slice(0, count));

const quick = {
  graph: { bits: 14, epochs: 3 },
  transition: { bits: 14, epochs: 3, beam: 1 },
  network: { units: 8, layers: 1, epochs: 3 },
  spans: { units: 8, layers: 1, epochs: 3 },
  tagger: { units: 8, bits: 12, epochs: 2, networkEpochs: 3 },
} as const;

/** Trains a parser or a tagger quickly; returns its bytes, and the number of sentences in each epoch. */
async function trained(name: keyof typeof quick, weighing: Omit<Silver, 'treebank'>) {
  const totals: number[] = [];
  const trees = name === 'spans' ? bracketed('test', 15) : found;
  const run = {
    silver: { treebank: trees, ...weighing },
    onProgress: ({ isOver, epoch, total }: TrainingProgress<NamedScores>) => {
      if (isOver) totals[epoch - 1] = total;
    },
  };
  const writer = new ModelWriter();
  if (name === 'tagger') {
    const { annotator } = await trainAnnotator(name, gold, { ...run, options: quick[name] });
    annotator.save(writer);
  } else {
    const own = name === 'spans' ? bracketed('train', 30) : gold;
    (await trainParser<object>(name as never, own, { ...run, options: quick[name] })).parser.save(writer);
  }
  return { bytes: Buffer.from(modelBuffer(writer)), totals };
}

test.each(Object.keys(quick) as (keyof typeof quick)[])(
  '%s learns from silver trees by their weight, and not in the last epochs',
  async (name) => {
    const whole = await trained(name, { weight: 1 });
    // Seven silver sentences have tags that the tagger's treebank lacks.
    const all = name === 'tagger' ? 38 : 45;
    expect(whole.totals).toEqual([all, all, all]);
    const staged = await trained(name, { weight: 0.3, goldEpochs: 2 });
    expect(staged.totals).toEqual([all, 30, 30]);
    expect(staged.bytes.equals((await trained(name, { weight: 0.3, goldEpochs: 2 })).bytes)).toBe(true);
    expect(staged.bytes.equals((await trained(name, { weight: 0.9, goldEpochs: 2 })).bytes)).toBe(false);
  },
);

test('a paradigm that does not weigh trees refuses silver ones, as does a training without epochs for them', async () => {
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

test('an annotator that does not learn from silver tags refuses them', async () => {
  const silver = { treebank: found };
  for (const [task, options] of [
    ['tagger', { units: 0 }],
    ['lemmatizer', {}],
  ] as const) {
    await expect(trainAnnotator<object>(task as never, gold, { silver, options })).rejects.toThrow(
      `silver: ${task} does not learn from it with these options`,
    );
  }
});

test('a tagger leaves out silver sentences with tags that the treebank lacks', async () => {
  const notices: string[] = [];
  const first = await openTreebanks([samplePath('train')], { limit: 2 });
  await trainAnnotator('tagger', first, {
    options: quick.tagger,
    silver: { treebank: found },
    onNotice: (notice) => notices.push(notice),
  });
  expect(notices).toEqual([
    expect.stringMatching(/^\d+ sentences left out of .*test\.conllu: tags that the treebank lacks$/),
  ]);
});

test('silver trees of held-out sentences are told, however they are split into words', async () => {
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
      /^15 of 30 sentences of .* are also in .*, with the same text: scores on them are too high$/,
    ),
  ]);
});
