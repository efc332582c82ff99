import { expect, test } from 'vitest';
import { ColumnCounts, TagCounts } from '../../../src/evaluate/attachment/column-counts.ts';
import { sentenceOf } from '../../../src/treebank/sentence.ts';

const gold = sentenceOf([
  { form: 'Dogs', lemma: 'dog', upos: 'NOUN', feats: 'Number=Plur|Own=1', head: 2 },
  { form: 'bark', upos: 'VERB', feats: '_', head: 0 },
]);

test('columns are scored as by eval.py: only universal features count, and any lemma if gold has none', () => {
  const counts = new ColumnCounts(['upos', 'feats', 'lemmas']);
  counts.add(gold, {
    upos: ['', 'NOUN', 'NOUN'],
    feats: ['', 'Number=Plur', '_'],
    lemmas: ['', 'dogs', 'bark'],
  });
  expect(counts.percentages()).toEqual([
    ['upos', 50],
    ['feats', 100],
    ['lemmas', 50],
  ]);
});

test('columns without words have no score', () => {
  expect(new ColumnCounts(['xpos']).percentages()).toEqual([['xpos', Number.NaN]]);
});

test('all features that a parser saw are compared, not only the universal ones', () => {
  const tags = new TagCounts();
  tags.add(gold, { ...gold, feats: ['', 'Number=Plur', '_'] });
  expect(tags.seen()).toMatchObject({ source: 'predicted', upos: 100, feats: 50 });
});
