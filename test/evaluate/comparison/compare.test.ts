import { describe, expect, test } from 'vitest';
import { InputError, UsageError } from '../../../src/errors.ts';
import { agreement } from '../../../src/evaluate/agreement.ts';
import { breakdownNames } from '../../../src/evaluate/breakdowns/breakdown.ts';
import { compare } from '../../../src/evaluate/comparison/compare.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { mcnemar } from '../../../src/evaluate/significance/mcnemar.ts';
import { stratifiedShuffling } from '../../../src/evaluate/significance/shuffling.ts';
import { tokenOutcomes } from '../../../src/evaluate/significance/token-outcomes.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { sentence, treebank } from '../../support/sentences.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';

const upos = 'PRON VERB PRON NOUN PUNCT';
const seen = (heads: string, labels: string) => sentence('we saw her dog .', heads, { labels, upos });
const she = (label: string) => sentence('she', '0', { labels: label, upos: 'PRON' });

const gold = treebank('gold', seen('2 0 4 2 2', 'nsubj root det obj punct'), she('root'));
const good = treebank('good', seen('2 0 4 2 4', 'nsubj root det obj punct'), she('root'));
const bad = treebank('bad', seen('2 0 2 2 4', 'nsubj root obj dep punct'), she('dep'));

describe('the report of each parser is what evaluate says of it alone, figure for figure', () => {
  test.each(['include', 'upos', 'auto'] as const)('with the punctuation rule %s', async (punctuation) => {
    const { comparison } = await compare(gold, [good, bad], { punctuation, rounds: 10 });
    const alone = [good, bad].map((output) => evaluate(gold, output, { punctuation, by: breakdownNames }));
    expect(comparison.parsers.map(({ report }) => report)).toEqual(await Promise.all(alone));
  });
});

test('a comparison tells the gold treebank, the parsers in order, and the tests drawn', async () => {
  const { comparison } = await compare(gold, [bad, good], { rounds: 99, seed: 7, by: ['tag'] });
  expect(comparison).toMatchObject({
    gold: 'gold',
    labelled: true,
    parsers: [
      { name: 'bad', report: { file: 'bad' } },
      { name: 'good', report: { file: 'good' } },
    ],
    significance: { seed: 7, rounds: 99, confidence: 0.95, pairs: [{ a: 0, b: 1 }] },
  });
  expect(Object.keys(comparison.parsers[0].report.breakdowns)).toEqual(['tag']);
});

test('it is plain data: JSON brings it back, but for null where nothing is defined', async () => {
  const { comparison } = await compare(gold, [good, bad], { rounds: 10 });
  const withoutNaN = (key: string, value: unknown) => (Number.isNaN(value) ? `${key} not defined` : value);
  const text = JSON.stringify(comparison, withoutNaN);
  expect(JSON.parse(JSON.stringify(comparison))).toEqual(
    JSON.parse(text, (_, value) => (/ not defined$/.test(value) ? null : value)),
  );
});

test('the sentences are those of gold, each with every parser’s tree and the tokens that are scored', async () => {
  const { sentences } = await compare(gold, [good, bad], { punctuation: 'upos', rounds: 10 });
  expect(sentences.map(({ gold }) => gold.forms[1])).toEqual(['we', 'she']);
  expect(sentences[0].trees.map(({ heads }) => [...heads])).toEqual([
    [-1, 2, 0, 4, 2, 4],
    [-1, 2, 0, 2, 2, 4],
  ]);
  expect(sentences[0].scored).toEqual(Uint8Array.of(0, 1, 1, 1, 1, 0));
});

test('agreement is that of the scored tokens', async () => {
  const { comparison, sentences } = await compare(gold, [good, bad], { punctuation: 'upos', rounds: 10 });
  expect(comparison.agreement).toEqual(agreement(sentences, 2));
  expect(comparison.agreement).toMatchObject({ tokens: 5, oracle: { uas: 100, las: 100 } });
});

test('gold without labels: only heads are compared, and the labelled tests are left out', async () => {
  const bare = treebank('bare', sentence('a b c', '2 0 2'));
  const [p, q] = ['p', 'q'].map((name, i) =>
    treebank(name, sentence('a b c', i === 0 ? '2 0 1' : '2 0 2', { labels: 'x y z' })),
  );
  const { comparison } = await compare(bare, [p, q], { rounds: 10 });
  expect(comparison.labelled).toBe(false);
  expect(comparison.parsers.map(({ intervals }) => Object.keys(intervals))).toEqual([['uas'], ['uas']]);
  expect(Object.keys(comparison.significance.pairs[0].tests)).toEqual(['uas']);
  expect(comparison.errors.labelConfusions).toEqual([]);
  expect(comparison.errors.wrongArcs).toMatchObject([{ counts: [1, 0], predicted: { label: '_' } }]);
  expect(comparison.sentences).toMatchObject([{ sentence: 1, heads: [2, 3], arcs: [2, 3], disputed: 1 }]);
});

test('each treebank is read once', async () => {
  const passes: string[] = [];
  const counted = (of: Treebank): Treebank => ({
    name: of.name,
    async *[Symbol.asyncIterator]() {
      passes.push(of.name);
      yield* of;
    },
  });
  await compare(counted(gold), [counted(good), counted(bad)], { rounds: 10 });
  expect(passes).toEqual(['gold', 'good', 'bad']);
});

describe('what cannot be compared is refused', () => {
  test('one parser', async () => {
    await expect(compare(gold, [good])).rejects.toThrow(
      new UsageError('expected at least two parsers to compare'),
    );
  });

  test('trees of other tokens', async () => {
    const other = treebank('other', sentence('we', '0'));
    await expect(compare(gold, [good, other])).rejects.toThrow(InputError);
  });

  test('treebanks of punctuation only, where it does not count', async () => {
    const stop = treebank('stop', sentence('.', '0', { upos: 'PUNCT', labels: 'root' }));
    await expect(compare(stop, [stop, stop], { punctuation: 'upos' })).rejects.toThrow(
      new InputError('no tokens to compare'),
    );
  });
});

const files = [
  'treebanks/ud-english-ewt/en_ewt-ud-dev.conllu',
  'oracles/dependencies/en_ewt-dev.malt-stacklazy.conllu',
  'oracles/dependencies/en_ewt-dev.malt-arc-eager.conllu',
].map((name) => sharedPath(name));

needsShared.describe('real parsers’ output', () => {
  const open = () =>
    Promise.all(files.map((file, i) => openTreebank(file, { expect: i === 0 ? 'trees' : 'heads' })));

  test('figures, p-values and error counts are those of the functions that stand alone', async () => {
    const [ewt, ...outputs] = await open();
    const { comparison } = await compare(ewt, outputs, { rounds: 500, limit: 20 });
    const reports = [];
    for (const output of outputs) reports.push(await evaluate(ewt, output, { by: breakdownNames }));
    expect(comparison.parsers.map(({ report }) => report)).toEqual(reports);
    const [a, b] = [await tokenOutcomes(ewt, outputs[0]), await tokenOutcomes(ewt, outputs[1])];
    const { las } = comparison.significance.pairs[0].tests;
    const shuffled = stratifiedShuffling(a.las.sentences, b.las.sentences, { rounds: 500 });
    expect(las).toMatchObject({
      difference: shuffled.difference,
      shuffling: { p: shuffled.twoSided, corrected: shuffled.twoSided },
      mcnemar: { p: mcnemar(a.las.tokens, b.las.tokens).twoSided },
    });
  });

  test('McNemar’s test calls a difference real that shuffling does not', async () => {
    const [ewt, ...outputs] = await open();
    const { comparison } = await compare(ewt, outputs, { limit: 1 });
    const { las } = comparison.significance.pairs[0].tests;
    expect(las?.mcnemar.p).toBeLessThan(0.02);
    expect(las?.shuffling.p).toBeGreaterThan(0.1);
  });
});
