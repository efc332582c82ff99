import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InputError, UsageError } from '../../../src/errors.ts';
import { agreement } from '../../../src/evaluate/agreement.ts';
import { breakdownNames } from '../../../src/evaluate/breakdowns/buckets.ts';
import { compare } from '../../../src/evaluate/comparison/compare.ts';
import { MetricCounts } from '../../../src/evaluate/comparison/metric-counts.ts';
import { metricNames, metrics } from '../../../src/evaluate/comparison/metrics.ts';
import { Evaluation, evaluate } from '../../../src/evaluate/evaluate.ts';
import { sentencePairs } from '../../../src/evaluate/lock-step.ts';
import { mcnemar } from '../../../src/evaluate/significance/mcnemar.ts';
import { tokenOutcomes } from '../../../src/evaluate/significance/outcomes.ts';
import { stratifiedShuffling } from '../../../src/evaluate/significance/resampling.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import { collect } from '../../support/collect.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { sentence, treebank } from '../../support/sentences.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';

const upos = 'PRON VERB PRON NOUN PUNCT';
const seen = (heads: string, labels: string) => sentence('we saw her dog .', heads, { labels, upos });
const she = (label: string) => sentence('she', '0', { labels: label, upos: 'PRON' });

const gold = treebank('gold', seen('2 0 4 2 2', 'nsubj root det obj punct'), she('root'));
const good = treebank('good', seen('2 0 4 2 4', 'nsubj root det obj punct'), she('root'));
const bad = treebank('bad', seen('2 0 2 2 4', 'nsubj root obj dep punct'), she('dep'));

describe('the report of each parser equals that of evaluate', () => {
  test.each(['include', 'upos', 'auto'] as const)('with the punctuation rule %s', async (punctuation) => {
    const { comparison } = await compare(gold, [good, bad], { punctuation, rounds: 10 });
    const alone = [good, bad].map((output) => evaluate(gold, output, { punctuation, by: breakdownNames }));
    expect(comparison.parsers.map(({ report }) => report)).toEqual(await Promise.all(alone));
  });
});

test('a comparison has the gold treebank, the parsers in order, and the settings of its tests', async () => {
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

test('a comparison is plain data: JSON keeps it, with null for figures that are not defined', async () => {
  const { comparison } = await compare(gold, [good, bad], { rounds: 10 });
  const withoutNaN = (key: string, value: unknown) => (Number.isNaN(value) ? `${key} not defined` : value);
  const text = JSON.stringify(comparison, withoutNaN);
  expect(JSON.parse(JSON.stringify(comparison))).toEqual(
    JSON.parse(text, (_, value) => (/ not defined$/.test(value) ? null : value)),
  );
});

test('the sentences are those of gold, each with every parser’s tree and the tokens that are scored', async () => {
  const compared = await compare(gold, [good, bad], { punctuation: 'upos', rounds: 10 });
  const sentences = await collect(compared.sentences);
  expect(sentences.map(({ gold }) => gold.forms[1])).toEqual(['we', 'she']);
  expect(sentences[0].trees.map(({ heads }) => [...heads])).toEqual([
    [-1, 2, 0, 4, 2, 4],
    [-1, 2, 0, 2, 2, 4],
  ]);
  expect(sentences[0].scored).toEqual(Uint8Array.of(0, 1, 1, 1, 1, 0));
});

test('agreement is counted on the scored tokens', async () => {
  const { comparison, sentences } = await compare(gold, [good, bad], { punctuation: 'upos', rounds: 10 });
  expect(comparison.agreement).toEqual(agreement(await collect(sentences), 2));
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

describe('memory', () => {
  let passes: string[] = [];
  const counted = (of: Treebank): Treebank => ({
    ...of,
    async *[Symbol.asyncIterator]() {
      passes.push(of.name);
      yield* of;
    },
  });

  const thousand = sentence(
    'word '.repeat(1000).trimEnd(),
    Array.from({ length: 1000 }, (_, d) => d).join(' '),
    {
      labels: 'word '.repeat(1000).trimEnd(),
    },
  );

  /** A treebank of thousands of tokens, its sentences made anew at every pass, so that nothing here keeps them. */
  const large = (name: string, thousands: number, isReadOnce = false): Treebank => ({
    name,
    isReadOnce,
    async *[Symbol.asyncIterator]() {
      for (let i = 0; i < thousands; i++) {
        const made = { ...thousand };
        alive.push(new WeakRef(made));
        yield made;
      }
    },
  });
  let alive: WeakRef<Sentence>[] = [];
  beforeEach(() => {
    passes = [];
    alive = [];
  });

  test('a small treebank is read once, and its sentences are kept for later use', async () => {
    const { sentences } = await compare(counted(gold), [counted(good), counted(bad)], { rounds: 10 });
    expect(await collect(sentences)).toEqual(await collect(sentences));
    expect(passes).toEqual(['gold', 'good', 'bad']);
  });

  test('of a large treebank only counts are kept, and later uses read it again', async () => {
    const treebanks = ['gold', 'a', 'b'].map((name) => counted(large(name, 90)));
    const { sentences, comparison } = await compare(treebanks[0], treebanks.slice(1), { rounds: 2 });
    expect(comparison.parsers[0].report.tokens).toBe(90_000);
    await collectGarbage();
    expect(alive).toHaveLength(270);
    expect(alive.filter((sentence) => sentence.deref() !== undefined).length).toBeLessThan(30);
    for await (const { gold } of sentences) expect(gold.length).toBe(1000);
    expect(passes).toEqual(['gold', 'a', 'b', 'gold', 'a', 'b']);
  });

  test('a treebank from a pipe is kept, as it cannot be read again', async () => {
    const treebanks = [large('gold', 90, true), large('a', 90), large('b', 90)].map(counted);
    const { sentences } = await compare(treebanks[0], treebanks.slice(1), { rounds: 2 });
    expect(await collect(sentences)).toHaveLength(90);
    expect(passes).toEqual(['gold', 'a', 'b']);
  });
});

describe('parsers that may be the same file given twice', () => {
  test('are reported if all their trees are the same', async () => {
    const { comparison } = await compare(gold, [good, bad, good, bad], { rounds: 10 });
    expect(comparison.sameTrees).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  test('are not reported if they differ only in tokens that are not scored', async () => {
    const stop = treebank('stop', seen('2 0 4 2 4', 'nsubj root det obj dep'), she('root'));
    const { comparison } = await compare(gold, [good, stop], { rounds: 10, punctuation: 'upos' });
    expect(comparison.agreement.matrix[0][1]).toEqual({ uas: 100, las: 100 });
    expect(comparison.sameTrees).toEqual([]);
  });
});

describe('the metrics of the tests', () => {
  test('are the given ones, in the given order', async () => {
    const { comparison } = await compare(gold, [good, bad], { rounds: 10, metrics: ['complete', 'clas'] });
    const [{ tests }] = comparison.significance.pairs;
    expect(Object.keys(tests)).toEqual(['complete', 'clas']);
    expect(comparison.parsers.map(({ intervals }) => Object.keys(intervals))).toEqual([
      ['complete', 'clas'],
      ['complete', 'clas'],
    ]);
    expect(tests.clas).not.toHaveProperty('mcnemar');
  });

  test.each(metricNames)('the difference in %s is that of the scores', async (name) => {
    const filled = (of: readonly Sentence[]) =>
      of.map((each) => ({ ...each, lemmas: each.forms, feats: each.forms.map(() => 'Case=Nom') }));
    const [right, a, b] = await Promise.all(
      [gold, good, bad].map(async (of) => treebank(of.name, ...filled(await collect(of)))),
    );
    const { comparison } = await compare(right, [a, b], { rounds: 10, metrics: [name] });
    const scores = comparison.parsers.map(({ report }) => metrics[name].score(report));
    const { difference } = comparison.significance.pairs[0].tests[name]!;
    expect(difference).toBeCloseTo(scores[0] - scores[1], 10);
  });

  test.each([
    ['las', 'LAS is not defined here: it needs gold labels'],
    ['clas', 'CLAS is not defined here: it needs gold relations of Universal Dependencies'],
  ] as const)('are refused if they are not defined: %s', async (name, message) => {
    const bare = treebank('bare', sentence('a b', '2 0'));
    const asked = compare(bare, [bare, bare], { rounds: 10, metrics: ['uas', name] });
    await expect(asked).rejects.toThrow(new InputError(message, { file: 'bare' }));
  });

  test('BLEX is refused if a parser’s file has no lemmas', async () => {
    const lemmas = treebank(
      'lemmas',
      ...(await collect(gold)).map((each) => ({ ...each, lemmas: each.forms })),
    );
    const asked = compare(lemmas, [lemmas, good], { rounds: 10, metrics: ['blex'] });
    await expect(asked).rejects.toThrow(/^good: BLEX is not defined here: it needs .* lemmas in both files$/);
  });
});

describe('what cannot be compared is refused', () => {
  test('one parser', async () => {
    await expect(compare(gold, [good])).rejects.toThrow(
      new UsageError('expected at least two parsers to compare'),
    );
  });

  test('trees over other tokens', async () => {
    const other = treebank('other', sentence('we', '0'));
    await expect(compare(gold, [good, other])).rejects.toThrow(InputError);
  });

  test('treebanks of punctuation only, if punctuation is left out', async () => {
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
  let ewt: Treebank;
  let outputs: Treebank[];
  beforeAll(async () => {
    const read = async (file: string, expect: 'trees' | 'heads') =>
      treebank(file, ...(await collect(await openTreebank(file, { expect }))));
    ewt = await read(files[0]!, 'trees');
    outputs = await Promise.all(files.slice(1).map((file) => read(file, 'heads')));
  });

  test('figures and p-values equal those of the separate functions', async () => {
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

  test.each(metricNames)('the counts for the test of %s give its score to the last digit', async (name) => {
    const recorder = new MetricCounts([name], 1);
    const evaluation = new Evaluation({});
    for await (const { gold, predicted } of sentencePairs(ewt, outputs[0])) {
      const scored = new Uint8Array(gold.length + 1).fill(1, 1);
      recorder.add({ gold, trees: [predicted], scored }, [evaluation.add(gold, predicted)]);
    }
    const [{ correct, total }] = recorder.outcomes([name]).get(name)!.sentences;
    const sum = (counts: Int32Array) => counts.reduce((a, b) => a + b, 0);
    expect((100 * sum(correct)) / sum(total)).toBeCloseTo(metrics[name].score(evaluation.report('a')), 10);
  });

  test('McNemar’s test finds a difference significant that shuffling does not', async () => {
    const { comparison } = await compare(ewt, outputs, { limit: 1, metrics: ['las'] });
    const { las } = comparison.significance.pairs[0].tests;
    expect(las?.mcnemar?.p).toBeLessThan(0.02);
    expect(las?.shuffling.p).toBeGreaterThan(0.1);
  });
});
