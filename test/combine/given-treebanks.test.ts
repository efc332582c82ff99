import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { trainAnnotator } from '../../annotators/train-annotator.ts';
import { trainParser } from '../../combine/train-parser.ts';
import { makeEnsemble } from '../../combine/vote/ensemble.ts';
import { CheckpointFile } from '../../src/training/checkpoint-file.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { type Sentence, sentenceOf, type Treebank } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-given-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = ['Dogs', 'Cats', 'Birds']
  .map((form) => `1\t${form}\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n`)
  .join('');
const sentences = readSentences(text);
const renamed = sentences.map((one): Sentence => ({ ...one, forms: ['', 'Cows', 'sleep'] }));
const guided = sentences.map((one): Sentence => ({ ...one, guides: [one] }));
const madeByProgram = (given: readonly Sentence[]): Treebank => ({
  name: 'own',
  async *[Symbol.asyncIterator]() {
    yield* given;
  },
});

describe('a treebank given by a program', () => {
  const path = join(folder, 'graph.model');
  const options = { epochs: 3, bits: 12 };

  async function stopped(treebank: Treebank): Promise<void> {
    const stop = new AbortController();
    const training = trainParser('graph', treebank, {
      options,
      checkpoints: new CheckpointFile(path, { resume: false }),
      signal: stop.signal,
      onProgress: ({ isOver }) => isOver && stop.abort(),
    });
    await expect(training).rejects.toThrow();
  }

  const resumed = (treebank: Treebank) =>
    trainParser('graph', treebank, { options, checkpoints: new CheckpointFile(path, { resume: true }) });

  test.each([
    ['other words', renamed],
    ['fewer sentences', sentences.slice(1)],
    ['guides', guided],
  ])('can resume its training from a checkpoint, but a treebank with %s cannot', async (_, others) => {
    for (const make of [madeByProgram, (given: readonly Sentence[]) => inMemory(given, 'own')]) {
      await stopped(make(sentences));
      await expect(resumed(make(others))).rejects.toThrow('graph.model');
      await expect(resumed(make(sentences))).resolves.toBeDefined();
    }
  });

  test('is refused for training and for scoring if it has no heads', async () => {
    const bare = inMemory([sentenceOf('Dogs sleep')], 'bare');
    await expect(trainParser('graph', bare, { options })).rejects.toThrow(/^bare: .*no head/);
    await expect(trainParser('graph', inMemory(sentences, 'own'), { options, dev: bare })).rejects.toThrow(
      /^bare: .*no head/,
    );
  });

  test.each(['conllu', 'json'] as const)(
    'is refused for training and for scoring if it has n-best trees in %s',
    async (format) => {
      const ranked = readSentences(`# tree = 1 of 2\n${text}# tree = 2 of 2\n${text}`);
      const written = ranked.map((sentence) => formatSentence(sentence, format)).join('');
      const several = inMemory(readSentences(written, { name: 'best' }), 'best');
      const message = /^best:\d+: another tree of the same sentence, expected one of its n best$/;
      await expect(trainParser('graph', several, { options })).rejects.toThrow(message);
      const own = inMemory(sentences, 'own');
      await expect(trainParser('graph', own, { options, dev: several })).rejects.toThrow(message);
      const silver = { treebank: several };
      await expect(trainParser('graph', own, { options, silver })).rejects.toThrow(message);
      await expect(trainAnnotator('tagger', several)).rejects.toThrow(message);
    },
  );

  test('is not used by a training that is aborted before it begins', async () => {
    const given = { options: { epochs: 1, bits: 12 }, signal: AbortSignal.abort() };
    await expect(trainParser('graph', inMemory(sentences, 'own'), given)).rejects.toThrow('aborted');
  });

  test('has the digest of its text recorded in the model', async () => {
    const digest = createHash('sha256').update(text).digest('hex');
    const train = madeByProgram(sentences);
    expect((await trainParser('bigram', train)).about.train).toMatchObject({ digest });
    const tagger = await trainAnnotator('tagger', train, { options: { units: 0, epochs: 1, bits: 12 } });
    expect(tagger.about.train).toMatchObject({ digest });
  });

  test('is refused as held-out data if it has no sentences', async () => {
    const train = inMemory(sentences, 'train');
    const dev = inMemory([], 'held-out');
    await expect(trainParser('bigram', train, { dev })).rejects.toThrow('held-out: no sentences');
    const options = { units: 0, epochs: 1, bits: 12 };
    await expect(trainAnnotator('tagger', train, { options, dev })).rejects.toThrow('held-out: no sentences');
    const { parser } = await trainParser('bigram', train);
    await expect(makeEnsemble([parser, parser], { dev })).rejects.toThrow('held-out: no sentences');
  });
});
