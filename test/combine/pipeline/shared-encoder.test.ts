import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { trainAnnotator } from '../../../annotators/train-annotator.ts';
import { makePipeline } from '../../../combine/pipeline/make-pipeline.ts';
import { loadPipeline, savePipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import { trainPipeline } from '../../../combine/pipeline/training/train-pipeline.ts';
import { trainParser } from '../../../combine/train-parser.ts';
import { directionShapes } from '../../../src/learn/encoder/direction-reader.ts';
import { Encoder } from '../../../src/learn/encoder/encoder.ts';
import { saveEncoder } from '../../../src/learn/encoder/encoder-file.ts';
import { QuantizedRows } from '../../../src/learn/encoder/quantized-rows.ts';
import { EncoderVocabulary, FIRST_CHARACTER, FIRST_WORD } from '../../../src/learn/encoder/settings.ts';
import { directions } from '../../../src/learn/network/layers/lstm.ts';
import { Random } from '../../../src/learn/random.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import { ModelWriter, modelBytes } from '../../../src/model/model-writer.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { treebank } from '../../support/sentences.ts';

const sandbox = new Sandbox('shared-encoder');

/** A language model of random numbers. */
function randomEncoder(seed = 1): Encoder {
  const random = new Random(seed);
  const words = Array.from({ length: 9000 }, (_, i) => `word${i}`);
  const characters = [...'abcdefghijklmnopqrstuvwxyz'];
  const sizes = { words: words.length + FIRST_WORD, characters: characters.length + FIRST_CHARACTER };
  const settings = { units: 16, layers: 1, ...sizes };
  const drawn = (rows: number, columns: number) =>
    QuantizedRows.of(
      Float32Array.from({ length: rows * columns }, () => random.uniform() - 0.5),
      columns,
    );
  const weights = directions.map((direction) => ({
    words: drawn(settings.words, settings.units / 2),
    matrices: directionShapes(settings, direction).map(({ rows, columns }) => drawn(rows, columns)),
  }));
  return new Encoder(settings, new EncoderVocabulary(words, characters), weights);
}

test('tagger and parser of a file share the language model and its output for a sentence', async () => {
  const encoder = sandbox.path('some.encoder');
  saveEncoder(encoder, randomEncoder(), {});
  const data = treebank('sample', ...(await sampleSentences('train', 12)));
  const tiny = { units: 8, encoder };
  const pipeline = await makePipeline([
    await trainAnnotator('tagger', data, { options: { ...tiny, bits: 12, epochs: 1, networkEpochs: 1 } }),
    await trainParser('network', data, { options: { ...tiny, epochs: 1 } }),
  ]);
  const [both, compact] = [sandbox.path('both.model'), sandbox.path('compact.model')];
  savePipeline(both, pipeline);
  savePipeline(compact, pipeline, {}, { compact: true });
  const apart = pipeline.parts.map((part) => {
    const writer = new ModelWriter();
    part.write(writer);
    return modelBytes(writer).byteLength;
  });
  const saved = apart[0] + apart[1] - statSync(both).size;
  expect(saved).toBeGreaterThan(0.7 * statSync(encoder).size);
  for (const path of [both, compact]) {
    const opened = await loadPipeline(path);
    const encode = vi.spyOn(Encoder.prototype, 'encode');
    const sentences = await sampleSentences('dev', 5);
    const found = sentences.map((sentence) => opened.complete(sentence));
    expect(encode).toHaveBeenCalledTimes(sentences.length);
    encode.mockRestore();
    if (path === both) expect(found).toEqual(sentences.map((sentence) => pipeline.complete(sentence)));
  }

  // Folds do not read the language model, whose file may be gone.
  rmSync(encoder);
  const parser = { parser: 'transition', parserOptions: { epochs: 1, bits: 12 }, folds: 2 };
  const annotators = [readModelFile(both).part('tagger')];
  const other = await trainPipeline(data, { annotators, options: parser });
  expect(other.pipeline.annotators).toHaveLength(1);
});

test('a language model may stay in its own file, in the same place or moved together with the pipeline', async () => {
  const encoder = sandbox.path('apart.encoder');
  saveEncoder(encoder, randomEncoder(), {});
  const data = treebank('sample', ...(await sampleSentences('train', 12)));
  const parserOptions = { units: 8, epochs: 1 };
  const own = { parser: 'network', parserOptions, encoder, tags: 'gold' } as const;
  const tagger = { units: 8, bits: 12, epochs: 1, networkEpochs: 1 };
  const train = (options: object) => trainPipeline(data, { options: { ...own, tagger, ...options } });
  const [inside, named] = [sandbox.path('inside.model'), sandbox.path('named.model')];
  savePipeline(inside, (await train({})).pipeline);
  savePipeline(named, (await train({ encoderByName: true })).pipeline);
  expect(statSync(inside).size - statSync(named).size).toBeGreaterThan(0.9 * statSync(encoder).size);
  const sentences = await sampleSentences('dev', 5);
  const parsed = async (path: string) => {
    const pipeline = await loadPipeline(path);
    return sentences.map((sentence) => pipeline.complete(sentence));
  };
  expect(await parsed(named)).toEqual(await parsed(inside));

  mkdirSync(sandbox.path('elsewhere'));
  const moved = sandbox.path('elsewhere/named.model');
  renameSync(named, moved);
  renameSync(encoder, sandbox.path('elsewhere/apart.encoder'));
  expect(await parsed(moved)).toEqual(await parsed(inside));
  saveEncoder(sandbox.path('elsewhere/apart.encoder'), randomEncoder(2), {});
  await expect(parsed(moved)).rejects.toThrow('is not the encoder that the model was trained with');
  rmSync(sandbox.path('elsewhere/apart.encoder'));
  await expect(parsed(moved)).rejects.toThrow(`needs the encoder ${encoder}, found neither there nor beside`);
  await expect(train({ encoder: undefined, encoderByName: false })).rejects.toThrow(
    'encoderByName false goes with encoder',
  );
});
