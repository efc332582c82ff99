import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UdCounts } from '../../../src/evaluate/attachment/ud-counts.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { type Columns, sentence } from '../../support/sentences.ts';

const forms = 'the old dog has seen it .';
const heads = '3 3 5 5 0 5 5';
const columns = {
  labels: 'det amod nsubj aux root obj punct',
  upos: 'DET ADJ NOUN AUX VERB PRON PUNCT',
  lemmas: 'the old dog have see it .',
  feats: 'Definite=Def Degree=Pos Number=Sing Tense=Pres VerbForm=Part|Tense=Past Case=Acc _',
};

function scores(predictedHeads: string, changes: Columns = {}, goldChanges: Columns = {}) {
  const counts = new UdCounts();
  counts.add(
    sentence(forms, heads, { ...columns, ...goldChanges }),
    sentence(forms, predictedHeads, { ...columns, ...changes }),
  );
  return counts.scores()!;
}

test('a perfect prediction scores 100 in all five', () => {
  expect(scores(heads)).toEqual({ uas: 100, las: 100, clas: 100, mlas: 100, blex: 100 });
});

test('UAS and LAS count every word, punctuation too, with relations cut at the colon', () => {
  const { uas, las } = scores('3 3 5 5 0 5 3', { labels: 'det amod nsubj:pass aux:pass root iobj punct' });
  expect([uas, las]).toEqual([(100 * 6) / 7, (100 * 5) / 7]);
});

describe('CLAS', () => {
  test('counts only the words whose gold relation is a content relation', () => {
    expect(scores('5 3 5 3 0 5 3').clas).toBe(100);
    expect(scores('3 5 5 5 0 5 5').clas).toBe(75);
  });

  test('divides by the mean of gold’s and the prediction’s own numbers of content relations', () => {
    expect(scores(heads, { labels: 'det amod nsubj dep root obj punct' }).clas).toBe(100 * (4 / 4.5));
    expect(scores(heads, { labels: 'det amod nsubj aux root mark punct' }).clas).toBe(100 * (3 / 3.5));
  });
});

describe('MLAS', () => {
  test('needs the word’s own UPOS and universal features', () => {
    expect(scores(heads, { upos: 'DET NOUN NOUN AUX VERB PRON PUNCT' }).mlas).toBe(75);
    expect(scores(heads, { feats: columns.feats.replace('Degree=Pos', 'Degree=Sup') }).mlas).toBe(75);
  });

  test('ignores the order of features, and features that are not universal', () => {
    const feats = columns.feats.replace('VerbForm=Part|Tense=Past', 'Tense=Past|Typo=Yes|VerbForm=Part');
    expect(scores(heads, { feats }).mlas).toBe(100);
  });

  test('needs the same function-word children: a lost one fails both its parents', () => {
    expect(scores('3 3 5 3 0 5 5').mlas).toBe(50);
    expect(scores('3 3 5 3 0 5 5').clas).toBe(100);
  });

  test('needs the children’s relation, UPOS and universal features too', () => {
    expect(scores(heads, { labels: columns.labels.replace('aux', 'cop') }).mlas).toBe(75);
    expect(scores(heads, { upos: columns.upos.replace('AUX', 'VERB') }).mlas).toBe(75);
    expect(scores(heads, { feats: columns.feats.replace('Definite=Def', 'Definite=Ind') }).mlas).toBe(75);
  });

  test('ignores content children', () => {
    expect(scores('3 5 5 5 0 5 5').mlas).toBe(75);
  });
});

describe('BLEX', () => {
  test('needs the lemma', () => {
    expect(scores(heads, { lemmas: 'the old cat have see it .' }).blex).toBe(75);
  });

  test('accepts any lemma if gold has none', () => {
    expect(scores(heads, {}, { lemmas: 'the old _ have see it .' }).blex).toBe(100);
  });
});

describe('figures that need a column that a file lacks', () => {
  const none = '_ _ _ _ _ _ _';

  test('MLAS is not defined without UPOS on either side, or without the features that gold has', () => {
    expect(scores(heads, { upos: none }).mlas).toBeNaN();
    expect(scores(heads, {}, { upos: none }).mlas).toBeNaN();
    expect(scores(heads, { feats: none }).mlas).toBeNaN();
    expect(scores(heads, { feats: none }).clas).toBe(100);
  });

  test('MLAS is defined for a language without features', () => {
    expect(scores(heads, { feats: none }, { feats: none }).mlas).toBe(100);
    expect(scores(heads, {}, { feats: none }).mlas).toBe(0);
  });

  test('BLEX is not defined without lemmas on either side', () => {
    expect(scores(heads, { lemmas: none }).blex).toBeNaN();
    expect(scores(heads, {}, { lemmas: none }).blex).toBeNaN();
  });
});

test('there are no UD scores if a gold relation is not one of UD version 2', () => {
  expect(scores(heads, {}, { labels: 'det amod nsubj aux root dobj punct' })).toBeUndefined();
  expect(scores(heads, { labels: 'det amod nsubj aux root dobj punct' })).toBeDefined();
});

/** The definition, word for word: a parent's function-word children as lists, compared whole. */
function naiveMlas(gold: Sentence, predicted: Sentence): number {
  const content = /^(nsubj|obj|root)$/;
  const word = (s: Sentence, d: number) => [s.heads[d], s.labels[d], s.upos[d], s.feats[d]];
  const children = (s: Sentence, h: number) =>
    s.forms.flatMap((_, d) =>
      d > 0 && s.heads[d] === h && /^(det|case)$/.test(s.labels[d]!) ? [[d, ...word(s, d)]] : [],
    );
  const described = (s: Sentence, d: number) => JSON.stringify([word(s, d), children(s, d)]);
  let correct = 0;
  let total = 0;
  for (let d = 1; d <= gold.length; d++) {
    const counts = content.test(gold.labels[d]!);
    if (counts) total++;
    if (content.test(predicted.labels[d]!)) total++;
    if (counts && described(gold, d) === described(predicted, d)) correct++;
  }
  return (200 * correct) / total;
}

test('MLAS follows its definition on any pair of trees', () => {
  const n = 6;
  const column = (...values: string[]) =>
    fc.array(fc.constantFrom(...values), { minLength: n, maxLength: n }).map((cells) => cells.join(' '));
  const side = fc.record({
    heads: column('0', '1', '2', '2', '3'),
    labels: column('nsubj', 'obj', 'det', 'case', 'root', 'punct'),
    upos: column('NOUN', 'NOUN', 'NOUN', 'VERB'),
    feats: column('_', '_', '_', 'Case=Acc'),
  });
  fc.assert(
    fc.property(side, side, fc.boolean(), (a, b, sameHeads) => {
      const gold = sentence('a b c d e f', a.heads, a);
      const predicted = sentence('a b c d e f', sameHeads ? a.heads : b.heads, b);
      const counts = new UdCounts();
      counts.add(gold, predicted);
      const mlas = naiveMlas(gold, predicted);
      fc.pre(!Number.isNaN(mlas)); // no content word on either side
      fc.pre(/Case/.test(b.feats) || !/Case/.test(a.feats)); // features left out: not defined
      expect(counts.scores()!.mlas).toBeCloseTo(mlas, 10);
    }),
    { numRuns: 1000 },
  );
});
