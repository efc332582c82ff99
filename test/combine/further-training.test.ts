import { expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import { openParser, writeParser } from '../../parsers/registry.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { Origin } from '../../src/training/training-run.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { inMemory, openTreebanks } from '../../src/treebank/treebanks.ts';
import { collect } from '../support/collect.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { samplePath } from '../support/sample.ts';

const [old, others] = await Promise.all(
  (['train', 'test'] as const).map(async (part) =>
    collect(await openTreebanks([samplePath(part)], { limit: 60 })),
  ),
);

/** The sentences with other labels. */
const relabelled = (sentences: readonly Sentence[]) =>
  sentences.map((sentence) => ({
    ...sentence,
    labels: sentence.labels.map((label) => label && `${label}:new`),
  }));
const fresh = inMemory(relabelled(others!), 'new');
const treebank = inMemory(old!, 'old');

async function trained(from?: Origin, options: object = { epochs: 4 }): Promise<ModelReader> {
  const size = { units: 16, layers: 1 };
  const asked = from === undefined ? { options: { ...size, epochs: 4 } } : { from, options };
  const { parser, about } = await trainParser('network', from === undefined ? treebank : fresh, asked);
  const writer = new ModelWriter();
  writeParser(writer, parser, about);
  return ModelReader.fromBuffer(modelBuffer(writer), 'network.model');
}

test('a network goes on from a model, with new labels and words', async () => {
  const before = await trained();
  const model = await trained({ model: before });
  expect(model.header).toMatchObject({ from: { file: 'network.model' }, options: { units: 16, epochs: 4 } });
  const replayed = await trained({ model: before, replay: { treebank, share: 0.5 } });
  expect(replayed.header).toMatchObject({ replay: { treebank: { file: 'old' }, share: 0.5 } });
  expect(Buffer.from((await trained({ model: before })).buffer)).toEqual(Buffer.from(model.buffer));

  const parser = await openParser(model);
  const found = others!.flatMap((sentence) => parser.parse(sentence).labels.slice(1));
  expect(found.filter((label) => label.endsWith(':new')).length).toBeGreaterThan(0.5 * found.length);
  // Without an epoch's worth of learning it is the same parser, but for the size of its tables.
  const same = await openParser(await trained({ model: before }, { epochs: 1, rate: 1e-5 }));
  const first = await openParser(before);
  const differing = old!.filter(
    (sentence) => first.parse(sentence).heads.join() !== same.parse(sentence).heads.join(),
  );
  expect(differing.length).toBeLessThan(0.2 * old!.length);
});

test('what is fixed in a model cannot be asked for, nor can a model of another paradigm be gone on from', async () => {
  const model = await trained();
  await expect(trained({ model }, { units: 32 })).rejects.toThrow('units 32 does not go with from');
  await expect(trainParser('bigram', fresh, { from: { model } })).rejects.toThrow(
    'from: bigram does not go on from a model',
  );
});
