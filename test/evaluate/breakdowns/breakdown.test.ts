import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AttachmentCounts } from '../../../src/evaluate/attachment/attachment-counts.ts';
import { Breakdown } from '../../../src/evaluate/breakdowns/breakdown.ts';
import { type BreakdownName, breakdownNames } from '../../../src/evaluate/breakdowns/buckets.ts';
import { sentence } from '../../support/sentences.ts';

const forms = 'we saw her dog .';
const gold = sentence(forms, '2 0 4 2 2', {
  labels: 'nsubj root det obj punct',
  upos: 'PRON VERB PRON NOUN PUNCT',
});
const predicted = sentence(forms, '2 0 2 2 4', { labels: 'nsubj root obj dep punct' });

function rows(name: BreakdownName, scored = [0, 1, 1, 1, 1, 1]) {
  const breakdown = new Breakdown(name);
  breakdown.add(gold, predicted, Uint8Array.from(scored));
  return breakdown.rows();
}

const table = (name: BreakdownName, kind: 'labelled' | 'unlabelled') =>
  rows(name).map((row) => [row.bucket, row.gold, row.predicted, row[kind].precision, row[kind].recall]);

describe('recall is the found share of a bucket’s gold arcs, precision the right share of its predicted arcs', () => {
  test('by label, labelled', () => {
    expect(table('label', 'labelled')).toEqual([
      ['det', 1, 0, Number.NaN, 0],
      ['nsubj', 1, 1, 100, 100],
      ['obj', 1, 1, 0, 0],
      ['punct', 1, 1, 0, 0],
      ['root', 1, 1, 100, 100],
      ['dep', 0, 1, 0, Number.NaN],
    ]);
  });

  test('by label, unlabelled: the head alone, under the gold label for recall and the predicted one for precision', () => {
    expect(table('label', 'unlabelled')).toContainEqual(['obj', 1, 1, 0, 100]);
    expect(table('label', 'unlabelled')).toContainEqual(['dep', 0, 1, 100, Number.NaN]);
  });

  test('by the dependent’s gold tag, the same for both', () => {
    expect(table('tag', 'unlabelled')).toEqual([
      ['PRON', 2, 2, 50, 50],
      ['NOUN', 1, 1, 100, 100],
      ['PUNCT', 1, 1, 0, 0],
      ['VERB', 1, 1, 100, 100],
    ]);
  });

  test('by the gold tag of the head, the gold head for recall and the predicted one for precision', () => {
    expect(table('head-tag', 'unlabelled')).toEqual([
      ['VERB', 3, 3, expect.closeTo(66.67, 1), expect.closeTo(66.67, 1)],
      ['NOUN', 1, 1, 0, 0],
      ['root', 1, 1, 100, 100],
    ]);
  });

  test('by the number of the dependent’s own dependents', () => {
    expect(table('children', 'unlabelled')).toEqual([
      ['0', 3, 3, expect.closeTo(33.33, 1), expect.closeTo(33.33, 1)],
      ['1', 1, 1, 100, 100],
      ['3', 1, 1, 100, 100],
    ]);
  });

  test('by whether the head dominates every token between', () => {
    const breakdown = new Breakdown('projective');
    const crossing = sentence('a hearing is scheduled today', '2 4 4 0 2');
    const plain = sentence('a hearing is scheduled today', '2 4 4 0 4');
    breakdown.add(crossing, plain, Uint8Array.of(0, 1, 1, 1, 1, 1));
    expect(breakdown.rows()).toMatchObject([
      { bucket: 'projective', gold: 4, predicted: 5, unlabelled: { precision: 80, recall: 100 } },
      { bucket: 'non-projective', gold: 1, predicted: 0, unlabelled: { precision: Number.NaN, recall: 0 } },
    ]);
  });

  test('by whether the head dominates every token between, with arcs on and below a cycle apart', () => {
    const breakdown = new Breakdown('projective');
    breakdown.add(
      sentence('a b c d', '3 3 0 3'),
      sentence('a b c d', '3 3 1 0'),
      Uint8Array.of(0, 1, 1, 1, 1),
    );
    expect(breakdown.rows()).toMatchObject([
      { bucket: 'projective', gold: 4, predicted: 1 },
      { bucket: 'cycle', gold: 0, predicted: 3 },
    ]);
  });

  test('by distance between head and dependent, with arcs from the artificial root apart', () => {
    expect(table('distance', 'unlabelled')).toEqual([
      ['root', 1, 1, 100, 100],
      ['1', 2, 3, expect.closeTo(33.33, 1), 50],
      ['2', 1, 1, 100, 100],
      ['3', 1, 0, Number.NaN, 0],
    ]);
  });

  test('by sentence length in tens', () => {
    expect(table('length', 'labelled')).toEqual([['1-10', 5, 5, 40, 40]]);
  });

  test('by the number of arcs to the artificial root, in the gold tree for recall and the predicted one for precision', () => {
    expect(table('depth', 'unlabelled')).toEqual([
      ['1', 1, 1, 100, 100],
      ['2', 3, 3, expect.closeTo(66.67, 1), expect.closeTo(66.67, 1)],
      ['3', 1, 1, 0, 0],
    ]);
  });
});

test('F1 is the harmonic mean of precision and recall, or 0 if nothing is right', () => {
  expect(rows('distance')[1]!.unlabelled.f1).toBeCloseTo(40, 10);
  expect(rows('label')[2]!.labelled.f1).toBe(0);
  expect(rows('label')[0]!.labelled.f1, 'det, which is not predicted').toBe(0);
  expect(rows('label')[5]!.labelled.f1, 'dep, which is not in gold').toBe(0);
  expect(rows('label')[5]!.unlabelled.f1, 'dep, whose head is right').toBe(Number.NaN);
});

test('tokens left out by the punctuation rule are in no bucket', () => {
  expect(rows('label', [0, 1, 1, 1, 1, 0]).map(({ bucket }) => bucket)).not.toContain('punct');
});

test('numeric buckets are in order, and predicted tokens on a cycle come last', () => {
  const breakdown = new Breakdown('depth');
  const chain = sentence('a b c d e f g h i j k', '0 1 2 3 4 5 6 7 8 9 10');
  const cyclic = sentence('a b c d e f g h i j k', '0 1 2 3 4 5 6 7 8 11 10');
  breakdown.add(chain, cyclic, new Uint8Array(12).fill(1));
  expect(breakdown.rows().map(({ bucket }) => bucket)).toEqual('1 2 3 4 5 6 7 8 9 10 11 cycle'.split(' '));
});

test('length buckets start at 1, 11, 21, …', () => {
  const bucket = (n: number) => {
    const breakdown = new Breakdown('length');
    const long = sentence(Array(n).fill('x').join(' '), [0, ...Array(n - 1).fill(1)].join(' '));
    breakdown.add(long, long, new Uint8Array(n + 1).fill(1));
    return breakdown.rows()[0]!.bucket;
  };
  expect([1, 10, 11, 20, 21].map(bucket)).toEqual(['1-10', '1-10', '11-20', '11-20', '21-30']);
});

test('in every breakdown the buckets add up to the scored tokens, and their recalls to UAS and LAS', () => {
  const arcs = fc.array(
    fc.record({
      gold: fc.nat(8),
      head: fc.nat(8),
      label: fc.constantFrom('a', 'b'),
      other: fc.constantFrom('a', 'b'),
    }),
    { minLength: 8, maxLength: 8 },
  );
  fc.assert(
    fc.property(arcs, fc.constantFrom(...breakdownNames), (tokens, name) => {
      const join = (values: (string | number)[]) => values.join(' ');
      const words = join(tokens.map(() => 'x'));
      const g = sentence(words, join(tokens.map((t) => t.gold)), {
        labels: join(tokens.map((t) => t.label)),
      });
      const p = sentence(words, join(tokens.map((t) => t.head)), {
        labels: join(tokens.map((t) => t.other)),
      });
      const counts = new AttachmentCounts();
      counts.add(g.heads, g.labels, p.heads, p.labels, 8);
      const breakdown = new Breakdown(name);
      breakdown.add(g, p, new Uint8Array(9).fill(1));
      const sum = (of: (row: ReturnType<Breakdown['rows']>[number]) => number) =>
        breakdown.rows().reduce((total, row) => total + (of(row) || 0), 0);
      expect(sum((row) => row.gold)).toBe(8);
      expect(sum((row) => row.predicted)).toBe(8);
      expect(sum((row) => row.unlabelled.recall * row.gold)).toBeCloseTo(100 * counts.heads, 6);
      expect(sum((row) => row.labelled.recall * row.gold)).toBeCloseTo(100 * counts.arcs, 6);
      expect(sum((row) => row.labelled.precision * row.predicted)).toBeCloseTo(100 * counts.arcs, 6);
    }),
  );
});
