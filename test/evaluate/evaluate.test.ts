import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { type EvaluateOptions, evaluate } from '../../src/evaluate/evaluate.ts';
import { sentence, treebank } from '../support/sentences.ts';

const cat = { labels: 'det nsubj root punct', upos: 'DET NOUN VERB PUNCT' };
const dog = { labels: 'nsubj root obj', upos: 'PRON VERB NOUN' };
const gold = treebank(
  'gold.conllu',
  sentence('the cat sleeps .', '2 3 0 3', cat),
  sentence('she likes dogs', '2 0 2', dog),
);
const predicted = treebank(
  'pred.conllu',
  sentence('the cat sleeps .', '2 3 0 2', cat),
  sentence('she likes dogs', '2 0 2', { ...dog, labels: 'nsubj root iobj' }),
);
const report = (options?: EvaluateOptions) => evaluate(gold, predicted, options);

test('a report names the predicted file and counts sentences and scored tokens', async () => {
  expect(await report()).toMatchObject({ file: 'pred.conllu', sentences: 2, tokens: 7 });
});

test('figures are percentages in full precision, beside the counts they are made of', async () => {
  expect(await report()).toMatchObject({
    uas: (100 * 6) / 7,
    las: (100 * 5) / 7,
    laa: (100 * 6) / 7,
    rootAccuracy: 100,
    completeRate: 50,
    labelledCompleteRate: 0,
    correct: { heads: 6, arcs: 5, labels: 6, roots: 2, complete: 1, labelledComplete: 0 },
  });
});

test('punctuation counts by default', async () => {
  expect((await report()).punctuation).toEqual({ rule: 'include', excluded: 0 });
});

describe('with punctuation left out', () => {
  test('every figure is over the scored tokens, and the report has the number of those left out', async () => {
    expect(await report({ punctuation: 'upos' })).toMatchObject({
      tokens: 6,
      uas: 100,
      completeRate: 100,
      labelledCompleteRate: 50,
      punctuation: { rule: 'upos', excluded: 1 },
      warnings: [],
    });
  });

  test('a token whose head is punctuation is still scored', async () => {
    const hung = treebank('g', sentence('. no', '0 1', { upos: 'PUNCT INTJ', labels: 'root dep' }));
    expect(await evaluate(hung, hung, { punctuation: 'upos' })).toMatchObject({ tokens: 1, uas: 100 });
  });

  test('the gold tags decide what is punctuation', async () => {
    const tagged = (upos: string) => treebank(upos, sentence('so -', '0 1', { upos, labels: 'root punct' }));
    const { tokens } = await evaluate(tagged('ADV PUNCT'), tagged('PUNCT X'), { punctuation: 'upos' });
    expect(tokens).toBe(1);
  });

  test('a rule that leaves no token out causes a warning', async () => {
    expect((await report({ punctuation: 'ptb' })).warnings).toEqual([
      'the punctuation rule ptb excluded no token',
    ]);
  });

  test('a file of nothing but punctuation has no attachment score, and a warning', async () => {
    const dots = treebank('dots', sentence('...', '0', { upos: 'PUNCT', labels: 'root' }));
    const { tokens, uas, las, warnings } = await evaluate(dots, dots, { punctuation: 'upos' });
    expect({ tokens, uas, las }).toEqual({ tokens: 0, uas: Number.NaN, las: Number.NaN });
    expect(warnings).toEqual(['the punctuation rule upos left no token to score']);
  });
});

test('unlabelled gold trees have no labelled figures instead of perfect ones', async () => {
  const bare = treebank('bare', sentence('she likes dogs', '2 0 2'));
  const { uas, las, laa, labelledCompleteRate, warnings } = await evaluate(bare, bare);
  expect([uas, las, laa, labelledCompleteRate]).toEqual([100, Number.NaN, Number.NaN, Number.NaN]);
  expect(warnings).toEqual(['labelled figures are not defined: the gold trees have no labels']);
});

test('unlabelled predictions cause a warning and have LAS 0', async () => {
  const bare = treebank('bare', sentence('the cat sleeps .', '2 3 0 3'), sentence('she likes dogs', '2 0 2'));
  const { las, warnings } = await evaluate(gold, bare);
  expect(las).toBe(0);
  expect(warnings).toEqual(['the predicted trees have no labels']);
});

describe('labels that gold never has', () => {
  const often = (labels: string) =>
    treebank(
      labels,
      ...Array.from({ length: 15 }, () => sentence('the cat sleeps .', '2 3 0 3', { labels })),
    );
  const gold = often('det nsubj:pass root punct');

  test('cause a warning if many words have them, as the annotation schemes seem to differ', async () => {
    expect((await evaluate(gold, often('det sbj vmod punct'))).warnings).toEqual([
      '50% of the words have labels that never occur in gold (sbj, vmod): the annotation schemes seem to differ, and heads may, too',
    ]);
  });

  test('cause no warning if they are few or if only subtypes differ', async () => {
    const once = treebank('once', sentence('the cat sleeps .', '2 3 0 3', { labels: 'det sbj vmod punct' }));
    expect(
      (await evaluate(treebank('gold', sentence('the cat sleeps .', '2 3 0 3', cat)), once)).warnings,
    ).toEqual([]);
    expect((await evaluate(gold, often('det:poss nsubj root punct'))).warnings).toEqual([]);
  });
});

test('ill-formed predicted trees are counted and cause a warning', async () => {
  const broken = treebank(
    'pred.conllu',
    sentence('the cat sleeps .', '2 1 0 0', cat),
    sentence('she likes dogs', '2 3 2', dog),
  );
  const { illFormed, warnings } = await evaluate(gold, broken);
  expect(illFormed).toEqual({ sentences: 2, cycles: 2, severalRoots: 1, noRoot: 1 });
  expect(warnings).toEqual([
    '2 of 2 predicted trees are ill-formed: 2 with a cycle, 1 with several roots, 1 with no root',
  ]);
});

test('trees with UD relations have UD scores, which count punctuation whatever the rule', async () => {
  const { ud } = await report({ punctuation: 'upos' });
  expect(ud).toEqual({ uas: (100 * 6) / 7, las: (100 * 5) / 7, clas: 80, mlas: 80, blex: Number.NaN });
});

test('only the requested breakdowns are made, of scored tokens', async () => {
  const { breakdowns } = await report({ by: ['tag', 'length'], punctuation: 'upos' });
  expect(Object.keys(breakdowns)).toEqual(['tag', 'length']);
  expect(breakdowns.tag?.map(({ bucket, gold }) => [bucket, gold])).toEqual([
    ['NOUN', 2],
    ['VERB', 2],
    ['DET', 1],
    ['PRON', 1],
  ]);
});

test('a report is plain data: JSON has numbers, and null for what is not defined', async () => {
  const bare = treebank('bare', sentence('she likes dogs', '2 0 2'));
  const json = JSON.parse(JSON.stringify(await evaluate(bare, bare, { by: ['label'] })));
  expect(json).toMatchObject({ file: 'bare', uas: 100, las: null, illFormed: { cycles: 0 } });
  expect(json).not.toHaveProperty('ud');
});

test('a treebank without sentences is an error that names the file', async () => {
  await expect(evaluate(treebank('gold'), treebank('pred.conllu'))).rejects.toThrow(
    new InputError('no sentences to evaluate', { file: 'pred.conllu' }),
  );
});
