import { expect, test } from 'vitest';
import type { ComparedSentence } from '../../../src/evaluate/compared-sentence.ts';
import { DifferingSentences } from '../../../src/evaluate/comparison/differing-sentences.ts';
import { sentence } from '../../support/sentences.ts';

/** A sentence of three tokens whose gold heads are `2 0 2`, with the parsers’ heads; labels are all `x`. */
function compared(...heads: string[]): ComparedSentence {
  const [gold, ...trees] = ['2 0 2', ...heads].map((each) => sentence('a b c', each, { labels: 'x x x' }));
  return { gold, trees, scored: Uint8Array.of(0, 1, 1, 1) };
}

function differingSentences(
  sentences: readonly ComparedSentence[],
  { limit, labelled }: { readonly limit?: number; readonly labelled: boolean },
) {
  const differing = new DifferingSentences(labelled, limit);
  for (const sentence of sentences) differing.add(sentence);
  return differing.first();
}

const numbers = (...sentences: ComparedSentence[]) =>
  differingSentences(sentences, { labelled: true }).map(({ sentence: number }) => number);

test('the largest difference in right arcs comes first, then more disputed tokens, then the earlier sentence', () => {
  const onePoint = compared('2 0 2', '2 0 1');
  const onePointOfTwo = compared('3 0 1', '3 3 2');
  const twoPoints = compared('2 0 2', '3 0 1');
  expect(numbers(onePoint, onePoint, twoPoints)).toEqual([3, 1, 2]);
  expect(differingSentences([onePointOfTwo], { labelled: true })).toEqual([]);
  const moreDisputed = compared('2 1 3', '3 0 2'); // 1 and 2 right, 3 disputed
  expect(numbers(onePoint, moreDisputed)).toEqual([2, 1]);
});

test('sentences on which no parser is better than another are left out', () => {
  expect(numbers(compared('2 0 1', '2 0 1'), compared('2 0 1', '3 0 2'))).toEqual([]);
});

test('each sentence has every parser’s right heads and arcs, and the number of disputed tokens', () => {
  const gold = sentence('Dogs do bark', '3 3 0', { labels: 'nsubj aux root' });
  const trees = [
    sentence('Dogs do bark', '3 3 0', { labels: 'obj aux root' }),
    sentence('Dogs do bark', '2 0 2', { labels: 'nsubj root xcomp' }),
    sentence('Dogs do bark', '3 3 0', { labels: 'nsubj aux root' }),
  ];
  const scored = Uint8Array.of(0, 1, 1, 0);
  expect(differingSentences([{ gold: { ...gold, id: 's-1' }, trees, scored }], { labelled: true })).toEqual([
    {
      sentence: 1,
      id: 's-1',
      text: 'Dogs do bark',
      scored: 2,
      heads: [2, 0, 2],
      arcs: [1, 0, 2],
      disputed: 2,
    },
  ]);
});

test('the list ends at the limit', () => {
  const differing = compared('2 0 2', '2 0 1');
  const some = differingSentences([differing, differing, differing], { limit: 2, labelled: true });
  expect(some.map(({ sentence: number }) => number)).toEqual([1, 2]);
});

test('the list is the same whether it is cut at the end or while sentences are added', () => {
  const one = compared('2 0 2', '2 0 1');
  const two = compared('2 0 2', '3 0 1');
  const three = compared('2 0 2', '3 1 1');
  const many = [one, two, one, three, two, one, three, three, two, one, one, three];
  const all = differingSentences(many, { labelled: true });
  expect(all).toHaveLength(12);
  for (const limit of [1, 2, 5, 12]) {
    expect(differingSentences(many, { limit, labelled: true })).toEqual(all.slice(0, limit));
  }
});
