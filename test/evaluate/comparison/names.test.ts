import { expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';

test.each([
  ['graph.conllu pcfg.conllu', 'graph pcfg'],
  ['out/graph.conllu other/pcfg.conllu', 'graph pcfg'],
  ['dev.malt-eager.conllu dev.malt-lazy.conllu dev.yara.conllu', 'malt-eager malt-lazy yara'],
  ['a.conllu a.b.conllu', 'a a.b'],
  ['graph.conllu pcfg.mrg', 'graph.conllu pcfg.mrg'],
  ['seed-1.conllu seed-2.conllu', 'seed-1 seed-2'],
  ['graph/dev.conllu pcfg/dev.conllu', 'graph pcfg'],
  ['runs/a/dev.conllu ./runs/b/dev.conllu', 'a b'],
  ['/runs/a/1/dev.conllu /runs/b/2/dev.conllu', 'a/1 b/2'],
  ['runs/a/dev.conllu runs/b/dev.conllu runs/b/test.conllu', 'a/dev.conllu b/dev.conllu b/test.conllu'],
  ['a/dev.conllu b/dev.conllu a/dev.conllu', 'a b a (2)'],
  ['dev.conllu a/dev.conllu', 'dev.conllu a/dev.conllu'],
  ['dev.conllu dev.conllu', 'dev.conllu dev.conllu (2)'],
  ['/runs/dev.conllu /runs/dev.conllu', 'dev.conllu dev.conllu (2)'],
  ['../dev.conllu ../x/../dev.conllu', 'dev.conllu dev.conllu (2)'],
  ['dev.a.conllu dev.b.conllu dev.a.conllu', 'a b a (2)'],
  ['x.a.b x.c.b.b', 'a c.b'],
  ['a b', 'a b'],
])('%s are called %s', (files, names) => {
  expect(parserNames(files.split(' ')).join(' ')).toBe(names);
});

test('names that are given are used', () => {
  expect(parserNames(['x', 'y'], ['graph', 'vote'])).toEqual(['graph', 'vote']);
});

test.each([
  [['a'], 'names: 1, files: 2; expected one name for each file'],
  [['a', 'a'], 'two parsers have the same name'],
  [['a', ''], 'a parser needs a name, expected no empty ones'],
])('%j for two files is refused', (names, message) => {
  expect(() => parserNames(['x', 'y'], names)).toThrow(new UsageError(message));
});
