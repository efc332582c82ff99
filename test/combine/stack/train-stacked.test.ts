import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { PartProgress } from '../../../combine/parser-part.ts';
import { type TrainStackedOptions, trainStacked } from '../../../combine/stack/train-stacked.ts';
import { trainParser } from '../../../combine/train-parser.ts';
import type { Paradigm } from '../../../parsers/parser.ts';
import { findParadigm, loadParser, saveParser } from '../../../parsers/registry.ts';
import { OptionError } from '../../../src/errors.ts';
import { readModelFile, writeModelFile } from '../../../src/model/model-file.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import { FirstSentences, inMemory } from '../../../src/treebank/treebanks.ts';
import { collect } from '../../support/collect.ts';
import { sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const sandbox = new Sandbox('stack');

const small = { epochs: 1, bits: 12 };
const guide = { parser: 'graph', options: small };
const stacking = { guides: [guide], folds: 2 };

function sample(part: 'train' | 'dev', count: number): Treebank {
  return new FirstSentences(inMemory(readSentences(sampleText(part)), part), count);
}

const train = () => sample('train', 16);
const dev = await collect(sample('dev', 8));

/** A paradigm that does not train, but records the sentences that it is given. */
function watching(seen: Sentence[]): Paradigm {
  const parser = { paradigm: 'watching', reads: [], guides: 1, save: () => undefined };
  return {
    name: 'watching',
    summary: 'for tests',
    options: z.strictObject({}),
    takesGuides: true,
    train: async (data, _, run) => {
      for await (const one of data) seen.push(one);
      if (run.dev !== undefined) for await (const one of run.dev) seen.push(one);
      return { ...parser, parse: ({ heads, labels }) => ({ heads, labels, notices: [] }) };
    },
    load: () => {
      throw new Error('not needed');
    },
  };
}

/** The heads of the guides' trees, separated by blanks. */
const guideTrees = (sentences: readonly Sentence[]) =>
  sentences.map(({ guides }) => guides!.map(({ heads }) => heads.slice(1).join(' ')).join(' | '));

describe('a guide’s trees of the training sentences', () => {
  test('come from a guide trained on the other folds, and for held-out sentences on all folds', async () => {
    // Each half has a tree of its own, which shows on which half a guide was trained.
    const one = () => sentence('a b', '2 0', { upos: 'X Y', labels: 'dep root' });
    const other = () => sentence('a b', '0 1', { upos: 'X Y', labels: 'root dep' });
    const halves = treebank('halves', ...Array.from({ length: 6 }, one), ...Array.from({ length: 6 }, other));
    const seen: Sentence[] = [];
    await trainStacked(watching(seen), halves, {
      stacking: { guides: [{ parser: 'bigram' }, guide], folds: 2 },
      dev: treebank('dev', one()),
    });
    const [first, second] = [seen.slice(0, 6), seen.slice(6, 12)].map(guideTrees);
    expect(first).toEqual(Array(6).fill('0 1 | 0 1'));
    expect(second).toEqual(Array(6).fill('2 0 | 2 0'));
    expect(guideTrees(seen.slice(12, 13))[0]).toMatch(/^(2 0|0 1) \| (2 0|0 1)$/);
  });

  test('come from a guide that saw no copy of the sentence if sentences occur twice', async () => {
    const one = () => sentence('a b', '2 0', { upos: 'X Y', labels: 'dep root' });
    const other = () => sentence('a b', '0 1', { upos: 'X Y', labels: 'root dep' });
    const once = [...Array.from({ length: 6 }, one), ...Array.from({ length: 6 }, other)];
    const seen: Sentence[] = [];
    await trainStacked(watching(seen), treebank('twice', ...once, ...once), {
      stacking: { guides: [guide], folds: 2 },
      copies: 2,
    });
    const half = (tree: string) => Array(6).fill(tree);
    expect(guideTrees(seen)).toEqual([...half('0 1'), ...half('2 0'), ...half('0 1'), ...half('2 0')]);
  });

  test('leave the other columns of a sentence unchanged', async () => {
    const seen: Sentence[] = [];
    await trainStacked(watching(seen), train(), { stacking });
    const columns = ({ forms, upos, heads, labels }: Sentence) => ({ forms, upos, heads, labels });
    expect(seen.map(columns)).toEqual((await collect(train())).map(columns));
  });
});

describe.each([
  ['graph', small],
  ['graph', { ...small, order: 2, decoder: 'eisner' }],
  ['transition', { ...small, beam: 2, direction: 'right-to-left' }],
  ['transition', { bits: 12, learner: 'svm', system: 'arc-swap' }],
] as const)(
  '%s %j with a guide',
  (paradigm, options) => {
    test('parses the same after being saved and loaded as one file', async () => {
      const { parser, about } = await trainStacked(await findParadigm(paradigm), train(), {
        options,
        stacking,
      });
      const [file, again] = [sandbox.path('stacked.model'), sandbox.path('again.model')];
      saveParser(file, parser, about);
      const opened = await loadParser(file);
      expect(opened.paradigm).toBe(paradigm);
      const trees = dev.map((one) => parser.parse(one));
      expect(dev.map((one) => opened.parse(one))).toEqual(trees);
      saveParser(again, opened, about);
      expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
      expect(readModelFile(file).header).toMatchObject({
        ...{ paradigm, guides: ['guide-1'], train: { file: 'train' } },
        options: { guides: [{ parser: 'graph' }], folds: 2 },
        parts: { 'guide-1': { paradigm: 'graph', train: { file: 'train' } } },
      });
    });
  },
  60_000,
);

test('the n-best trees of a guided parser have the notices of parser and guide, as its best tree has', async () => {
  const short = sentence('a b', '2 0', { upos: 'X Y', xpos: 'X Y' });
  const { parser } = await trainStacked('graph', treebank('short', short, short, short, short), {
    options: small,
    stacking: { guides: [{ parser: 'graph', options: { ...small, maxLength: 2, tag: 'xpos' } }], folds: 2 },
  });
  const odd = sentence('a b c', '2 0 2', { upos: 'X Y Y', xpos: 'Z Y Y' });
  const { notices, unseen } = parser.parse(odd);
  expect(notices).toEqual(['3 tokens, parsed in chunks of 2']);
  expect(unseen).toEqual([{ column: 'xpos', token: 1 }]);
  const trees = parser.nBest!(odd, 3);
  expect(trees).toHaveLength(3);
  for (const tree of trees) expect(tree).toMatchObject({ notices, unseen });
});

test.each(['graph', 'transition'])(
  '%s accepts eight guides, but not nine',
  async (paradigm) => {
    const options = paradigm === 'graph' ? small : { ...small, beam: 1 };
    const many = (count: number) => ({
      guides: Array.from({ length: count }, () => ({ parser: 'graph', options: { epochs: 1, bits: 10 } })),
      folds: 2,
    });
    const { parser, about } = await trainStacked(await findParadigm(paradigm), train(), {
      options,
      stacking: many(8),
    });
    saveParser(sandbox.path('eight.model'), parser, about);
    const opened = await loadParser(sandbox.path('eight.model'));
    expect(dev.map((one) => opened.parse(one))).toEqual(dev.map((one) => parser.parse(one)));
    await expect(
      trainStacked(await findParadigm(paradigm), train(), { options, stacking: many(9) }),
    ).rejects.toThrow('guides');
  },
  60_000,
);

describe('a stacked training', () => {
  const bytesOf = async (name: string, more: TrainStackedOptions = {}) => {
    const { parser, about } = await trainStacked('graph', train(), { options: small, stacking, ...more });
    saveParser(sandbox.path(name), parser, about);
    return readFileSync(sandbox.path(name));
  };

  test('without guides gives the same bytes as training without stacking', async () => {
    const { parser, about } = await trainParser('graph', train(), { options: small });
    saveParser(sandbox.path('alone.model'), parser, about);
    expect(
      (await bytesOf('none.model', { stacking: {} })).equals(readFileSync(sandbox.path('alone.model'))),
    ).toBe(true);
  });

  test('that is stopped between folds resumes with the finished ones and gives the same bytes', async () => {
    const store = sandbox.path('store');
    const stop = new AbortController();
    const onPart = () => {
      if (readdirSync(store).length > 0) stop.abort();
    };
    const stopped = bytesOf('stopped.model', { store, onPart, signal: stop.signal });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    const kept = readdirSync(store);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(3);
    const told: PartProgress[] = [];
    const resumed = await bytesOf('resumed.model', { store, onPart: (progress) => told.push(progress) });
    expect(readdirSync(store)).toEqual(expect.arrayContaining(kept));
    expect(told.at(-1)).toEqual({ part: 'guide-1', share: 1, isOver: true, isKept: false });
    expect(resumed.equals(await bytesOf('whole.model'))).toBe(true);
  });

  test('of another parser with the same guide does not train the guide again', async () => {
    const store = sandbox.path('shared');
    await bytesOf('first.model', { store });
    const kept = readdirSync(store);
    expect(kept).toHaveLength(3);
    const told: PartProgress[] = [];
    const onPart = (progress: PartProgress) => told.push(progress);
    await trainStacked('transition', train(), { options: { ...small, beam: 1 }, stacking, store, onPart });
    expect(told).toEqual([{ part: 'guide-1', share: 1, isOver: true, isKept: true }]);
    expect(readdirSync(store)).toEqual(kept);
  });
});

describe('what stacking refuses', () => {
  test.each([
    ['bigram', stacking, 'guide: bigram takes no guides'],
    ['graph', { guides: [{ parser: 'pcfg' }] }, 'guide pcfg learns from brackets, not from dependencies'],
    ['graph', { guides: [guide], folds: 17 }, 'folds 17: train has 16 sentences, fewer than folds'],
  ])('%s with %j', async (paradigm, asked, message) => {
    const error = await trainStacked(await findParadigm(paradigm), train(), { stacking: asked }).catch(
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toBe(message);
  });

  test('a number of copies that does not divide the number of sentences', async () => {
    const training = trainStacked('graph', train(), { stacking, copies: 3 });
    await expect(training).rejects.toThrow('copies 3: train has 16 sentences');
  });

  test('a model whose guides are missing or do not match the parser', async () => {
    const { parser, about } = await trainStacked('graph', train(), { options: small, stacking });
    const file = sandbox.path('whole.model');
    saveParser(file, parser, about);
    const rewritten = async (guides: readonly string[] | undefined) => {
      const writer = new ModelWriter();
      writer.copy(readModelFile(file));
      writer.header.guides = guides;
      writeModelFile(sandbox.path('other.model'), writer);
      return loadParser(sandbox.path('other.model'));
    };
    await expect(rewritten(undefined)).rejects.toThrow('a parser with guides, but the file has none');
    await expect(rewritten(['guide-1', 'guide-1'])).rejects.toThrow('2 guides, expected 1');
    await expect(rewritten(['guide-2'])).rejects.toThrow('other.model');
  });
});
