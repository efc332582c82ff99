import { expect, test } from 'vitest';
import { findTask, openAnnotator, openTokenizer, taskNames } from '../../annotators/registry.ts';
import { loadAnnotator, saveAnnotator } from '../../annotators/saved-annotator.ts';
import { trainAnnotator } from '../../annotators/train-annotator.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { miniTreebank } from '../support/mini-treebank.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('annotators');

/** A model with this header. */
function model(header: object): ModelReader {
  const writer = new ModelWriter();
  Object.assign(writer.header, header);
  return ModelReader.fromBuffer(modelBuffer(writer), 'some.model');
}

test('an unknown annotation task is refused by its name', async () => {
  const message = `unknown annotation task prophet, expected one of ${taskNames().join(', ')}`;
  await expect(findTask('prophet')).rejects.toEqual(new UsageError(message));
});

test('a parser and an annotator of an unknown task are refused as annotators', async () => {
  const refused = (problem: string) => new InputError(problem, { file: 'some.model' });
  await expect(openAnnotator(model({ paradigm: 'graph' }))).rejects.toEqual(
    refused('a parser, expected an annotator'),
  );
  await expect(openAnnotator(model({ annotator: 'prophet' }))).rejects.toEqual(
    refused(`a model of the task prophet, expected one of ${taskNames().join(', ')}`),
  );
});

test('an annotator that was saved by a newer version is refused', async () => {
  await expect(openAnnotator(model({ annotator: 'tokenizer', version: '99.0.0' }))).rejects.toThrow(
    /some\.model: written by version 99\.0\.0 of Parliament/,
  );
});

test('an annotator is saved with its options and the name of its training file, and can be loaded', async () => {
  const treebank = miniTreebank('Dogs bark+ .\nCats sleep+ .', 'mini.conllu');
  const ended: number[] = [];
  const { annotator, about } = await trainAnnotator('tokenizer', treebank, {
    options: { bits: 10, epochs: 1 },
    onProgress: ({ isOver, epoch }) => isOver && ended.push(epoch),
  });
  expect(ended).toEqual([1]);
  const path = sandbox.path('tokenizer.model');
  saveAnnotator(path, annotator, about);
  expect((await loadAnnotator(path)).task).toBe('tokenizer');
  expect((await openTokenizer(readModelFile(path))).task).toBe('tokenizer');
  expect(readModelFile(path).header).toMatchObject({
    annotator: 'tokenizer',
    options: { bits: 10, epochs: 1 },
    train: { file: 'mini.conllu' },
  });
});

test('unknown options of a task are refused', async () => {
  // @ts-expect-error: no such option
  const training = trainAnnotator('tokenizer', miniTreebank('a b'), { options: { epoch: 3 } });
  await expect(training).rejects.toEqual(new UsageError('tokenizer has no option epoch'));
});
