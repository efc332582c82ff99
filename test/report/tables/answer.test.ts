import { describe, expect, test } from 'vitest';
import { ranked } from '../../../src/evaluate/comparison/ranking.ts';
import { pairsOf } from '../../../src/evaluate/significance/resampling.ts';
import { answerOf, groupLetters } from '../../../src/report/tables/ranking.ts';

const names = ['graph', 'yara', 'malt', 'bigram'];

/** The answer for parsers with these scores and p-values; pairs without a p-value have 1. */
function sentence(scores: readonly number[], pValues: Readonly<Record<string, number>>): string {
  const pairs = pairsOf(scores.length).map(([a, b]) => {
    const p = pValues[`${names[a]} ${names[b]}`] ?? 1;
    return { a, b, test: { difference: scores[a] - scores[b], shuffling: { p, corrected: p } } };
  });
  return answerOf({ names, title: 'LAS', notes: [], scores, ranking: ranked(scores, pairs), pairs });
}

describe('the answer to which parser is best', () => {
  test('names the parser that is better than all others, with the largest p', () => {
    const p = { 'graph yara': 0.0123, 'yara malt': 0.00001, 'graph malt': 0.01 };
    expect(sentence([80, 82.9, 70], p)).toBe(
      'yara is best: LAS 82.90, significantly better than all others, p ≤ 0.0123.',
    );
    expect(sentence([80, 82.9], { 'graph yara': 0.00001 })).toBe(
      'yara is best: LAS 82.90, significantly better than graph, p < 0.0001.',
    );
  });

  test('lists the other parsers without significant differences between them', () => {
    const p = { 'graph yara': 0.01, 'yara malt': 0.02, 'yara bigram': 0.01 };
    expect(sentence([80, 82.9, 79, 78], p)).toBe(
      'yara is best: LAS 82.90, significantly better than all others, p ≤ 0.0200; no significant difference between graph, malt and bigram.',
    );
  });

  test('names the parsers that are not significantly worse than the best', () => {
    const p = { 'graph bigram': 0.01, 'yara bigram': 0.02, 'malt bigram': 0.01 };
    expect(sentence([80, 82.9, 79, 70], p)).toBe(
      'yara has the best LAS 82.90, not significantly better than graph (80.00) or malt (79.00), but significantly better than bigram, p ≤ 0.0200.',
    );
  });

  test('says if no difference is significant, or if there is no difference', () => {
    expect(sentence([80, 82.9, 79], {})).toBe(
      'No parser is significantly better than another: LAS from 82.90 (yara) to 79.00 (malt).',
    );
    expect(sentence([80, 80], {})).toBe('All parsers have the same LAS, 80.00.');
  });
});

test('a parser has the letters of all its groups', () => {
  expect(groupLetters([[1], [0, 2], [2, 3]], 4)).toEqual(['b', 'a', 'bc', 'c']);
});
