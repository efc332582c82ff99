import { expect, test } from 'vitest';
import { annotatorRegistry, taskModule } from '../../../../annotators/train-annotator.ts';
import { paradigmFile } from '../../../../parsers/registry.ts';
import { moduleFile, reachableFrom } from '../../../../src/program-digest.ts';

const choosers = new Set([annotatorRegistry, moduleFile('parsers/registry')]);
const within = (modules: readonly string[], folder: string) =>
  reachableFrom(modules, choosers).filter((file) =>
    file.startsWith(moduleFile(folder).replace(/\.[jt]s$/, '/')),
  );

test('a fold depends on the code of its tasks and of no other tasks', () => {
  const modules = [moduleFile('annotators/jackknife/fold'), taskModule('tagger')];
  expect(within(modules, 'annotators/tagger')).toContain(
    moduleFile('annotators/tagger/training/sentence-trainer'),
  );
  expect(within(modules, 'annotators/lemmatizer')).toEqual([]);
  expect(within(modules, 'annotators/tokenizer')).toEqual([]);
  expect(within(modules, 'parsers')).toEqual([]);
});

test('a stored parser depends on the code of its paradigm and of Bayes points, but of no other paradigm', () => {
  const modules = [moduleFile('combine/parser-part'), paradigmFile('graph')];
  expect(within(modules, 'parsers/graph')).toContain(moduleFile('parsers/graph/paradigm'));
  expect(within(modules, 'combine')).toContain(moduleFile('combine/bayes-point'));
  expect(within(modules, 'parsers/transition')).toEqual([]);
  expect(within(modules, 'annotators')).toEqual([]);
});
