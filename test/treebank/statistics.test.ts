import { describe, expect, test } from 'vitest';
import { treebankStatistics } from '../../src/treebank/statistics.ts';
import { sentence } from '../support/sentences.ts';

describe('treebankStatistics', () => {
  const sentences = [
    sentence('the cat sleeps', '2 3 0', {
      upos: 'DET NOUN VERB',
      xpos: 'DT NN VBZ',
      lemmas: 'the cat sleep',
      labels: 'det nsubj root',
    }),
    sentence('The cat', '2 0', { upos: 'DET NOUN', xpos: 'DT NN', lemmas: 'the cat', labels: 'det root' }),
    sentence('a b c d', '3 4 0 0', {
      upos: 'X X X X',
      xpos: 'X X X X',
      lemmas: 'a b c d',
      labels: 'x x root root',
    }),
  ];

  test('counts sentences, tokens, lengths, forms as written, lemmas and roots', async () => {
    expect(await treebankStatistics(sentences)).toMatchObject({
      sentences: 3,
      tokens: 9,
      length: { min: 2, median: 3, mean: 3, max: 4 },
      forms: 8,
      lemmas: 7,
      severalRoots: { count: 1, percent: 100 / 3 },
    });
  });

  test('lists tags and labels by falling frequency, then by code point', async () => {
    const { upos, labels } = await treebankStatistics(sentences);
    expect(upos).toEqual([
      { value: 'X', count: 4 },
      { value: 'DET', count: 2 },
      { value: 'NOUN', count: 2 },
      { value: 'VERB', count: 1 },
    ]);
    expect(labels.map(({ value }) => value)).toEqual(['root', 'det', 'x', 'nsubj']);
  });

  test('gives non-projective arcs as percent of tokens, sentences as percent of sentences', async () => {
    const { nonProjectiveArcs, nonProjectiveSentences } = await treebankStatistics(sentences);
    // Both 3 → 1 and 4 → 2 span a token that their head does not dominate.
    expect(nonProjectiveArcs).toEqual({ count: 2, percent: 200 / 9 });
    expect(nonProjectiveSentences).toEqual({ count: 1, percent: 100 / 3 });
  });

  test('measures arcs between tokens only, not those from the artificial root', async () => {
    const { arcs } = await treebankStatistics([sentence('a b c', '0 1 1'), sentence('a b', '2 0')]);
    expect(arcs).toEqual({ count: 3, meanLength: 4 / 3, headLeft: 200 / 3 });
  });

  test('counts tokens without a head, and computes tree figures from the other sentences', async () => {
    const unfinished = sentence('a b c d', '4 3 -1 3');
    const { nonProjectiveArcs, nonProjectiveSentences, severalRoots, arcs } =
      await treebankStatistics(sentences);
    expect(await treebankStatistics([...sentences, unfinished])).toMatchObject({
      nonProjectiveArcs,
      nonProjectiveSentences,
      severalRoots,
      arcs,
      sentences: 4,
      tokens: 13,
      withoutHead: { count: 1, percent: 100 / 13 },
    });
  });

  test('gives as median of an even number of lengths the mean of the middle two', async () => {
    const { length } = await treebankStatistics([sentence('a', '0'), sentence('a b', '0 1')]);
    expect(length.median).toBe(1.5);
  });

  test('gives zeros for an empty treebank', async () => {
    const { tokens, length, arcs } = await treebankStatistics([]);
    expect({ tokens, length, arcs }).toEqual({
      tokens: 0,
      length: { min: 0, median: 0, mean: 0, max: 0 },
      arcs: { count: 0, meanLength: 0, headLeft: 0 },
    });
  });
});
