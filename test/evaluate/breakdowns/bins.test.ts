import { describe, expect, test } from 'vitest';
import { bins } from '../../../src/evaluate/breakdowns/bins.ts';
import type { BucketScores } from '../../../src/evaluate/breakdowns/breakdown.ts';
import { precisionRecall } from '../../../src/evaluate/percent.ts';

/** A bucket with these numbers of gold, predicted and right arcs. */
function bucket(name: string, gold: number, right: number, predicted = gold): BucketScores {
  const scores = precisionRecall(right, gold, right, predicted);
  return { bucket: name, gold, predicted, unlabelled: scores, labelled: scores };
}

const shown = (rows: readonly { bucket: string; gold: number }[]) =>
  rows.map((row) => `${row.bucket}: ${row.gold}`);

describe('bins of a breakdown by numbers', () => {
  test('join neighbours until each bin has enough arcs; the last bin takes the rest', () => {
    const rows = [
      bucket('root', 50, 40),
      ...[30, 12, 9, 2, 30, 5, 1].map((n, i) => bucket(String(i + 1), n, n)),
    ];
    const [found] = bins([rows]);
    expect(shown(found)).toEqual(['1: 30', '2-3: 21', '4-7: 38']);
  });

  test('have the scores of all their arcs counted together', () => {
    const rows = [bucket('1', 7, 3, 8), bucket('2', 30, 11, 25)];
    const [[found]] = bins([rows]);
    expect(found).toMatchObject({ from: 1, to: 2, ...bucket('1-2', 37, 14, 33) });
  });

  test('are the same for all parsers, even if one has further buckets', () => {
    const first = [bucket('1-10', 25, 20), bucket('11-20', 5, 5)];
    const second = [bucket('1-10', 25, 10), bucket('11-20', 5, 0), bucket('21-30', 0, 0, 4)];
    const [a, b] = bins([first, second]);
    expect([shown(a), shown(b)]).toEqual([['1-20: 30'], ['1-20: 30']]);
  });

  test('are found in one pass, even for 200,000 distances', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => bucket(String(i + 1), 1, 1));
    const [found] = bins([rows, rows]);
    expect(found).toHaveLength(10_000);
    expect(shown(found).at(-1)).toBe('199981-200000: 20');
  });
});
