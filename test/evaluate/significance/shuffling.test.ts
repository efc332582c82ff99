import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError, UsageError } from '../../../src/errors.ts';
import { tokenOutcomes } from '../../../src/evaluate/significance/outcomes.ts';
import { type SentenceCounts, stratifiedShuffling } from '../../../src/evaluate/significance/resampling.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';
import {
  countsOfTwo,
  distanceFromUniform,
  perSentence,
  shareDifference,
  simulate,
} from '../../support/simulated-parsers.ts';

const rounds = 10_000;

/**
 * How far p = (count + 1) / (rounds + 1) may be from its expectation: six standard deviations and a margin for
 * the tails.
 */
const noise = (p: number) => 6 * Math.sqrt((p * (1 - p)) / rounds) + 10 / rounds;

/** p-values by the definition: over all 2ⁿ ways to swap the sentences. */
function enumerateSwaps(a: SentenceCounts, b: SentenceCounts): { oneSided: number; twoSided: number } {
  const n = a.correct.length;
  const once = Array(n).fill(1);
  const observed = shareDifference(a, b, once);
  let atLeast = 0;
  let asFar = 0;
  for (let ways = 0; ways < 2 ** n; ways++) {
    const swapped = (mine: Int32Array, other: Int32Array) =>
      mine.map((value, i) => ((ways >> i) & 1 ? other[i] : value));
    const mixed = (mine: SentenceCounts, other: SentenceCounts) => ({
      correct: swapped(mine.correct, other.correct),
      total: swapped(mine.total, other.total),
    });
    const difference = shareDifference(mixed(a, b), mixed(b, a), once);
    if (difference >= observed) atLeast++;
    if (Math.abs(difference) >= Math.abs(observed)) asFar++;
  }
  return { oneSided: atLeast / 2 ** n, twoSided: asFar / 2 ** n };
}

/**
 * The exact one-sided p for parsers that score the same tokens: the distribution of Σ ±difference, sentence
 * by sentence.
 */
function convolveSwaps(a: SentenceCounts, b: SentenceCounts): number {
  const differences = a.correct.map((count, i) => count - b.correct[i]);
  let chances = new Map([[0, 1]]);
  for (const difference of differences.filter((d) => d !== 0)) {
    const next = new Map<number, number>();
    for (const [sum, chance] of chances) {
      for (const to of [sum + difference, sum - difference]) next.set(to, (next.get(to) ?? 0) + chance / 2);
    }
    chances = next;
  }
  const observed = differences.reduce((x, y) => x + y, 0);
  return [...chances].reduce((p, [sum, chance]) => (sum >= observed ? p + chance : p), 0);
}

describe('p is the share of swaps of whole sentences whose difference is at least the observed one', () => {
  test('over all 2ⁿ swaps, for up to 12 sentences, one-sided and two-sided', () => {
    fc.assert(
      fc.property(countsOfTwo(12), fc.nat(), ([a, b], seed) => {
        const exact = enumerateSwaps(a, b);
        const { oneSided, twoSided } = stratifiedShuffling(a, b, { rounds, seed });
        expect(Math.abs(oneSided - exact.oneSided)).toBeLessThan(noise(exact.oneSided));
        expect(Math.abs(twoSided - exact.twoSided)).toBeLessThan(noise(exact.twoSided));
      }),
      { numRuns: 60 },
    );
  });

  test('over all swaps by convolution, for more sentences than a random number has bits', () => {
    for (let seed = 0; seed < 20; seed++) {
      const [a, b] = simulate(seed, 31 + 5 * seed, 0.01);
      const exact = convolveSwaps(a, b);
      expect(Math.abs(stratifiedShuffling(a, b).oneSided - exact)).toBeLessThan(noise(exact));
    }
  });

  test('with one added to the count and to the rounds, so that it is never 0', () => {
    const a = perSentence(Array(40).fill('2/2').join(' '));
    const b = perSentence(Array(40).fill('1/2').join(' '));
    expect(stratifiedShuffling(a, b, { rounds: 999 })).toEqual({
      difference: 50,
      oneSided: 1 / 1000,
      twoSided: 1 / 1000,
    });
    expect(stratifiedShuffling(b, a, { rounds: 999 })).toEqual({
      difference: -50,
      oneSided: 1,
      twoSided: 1 / 1000,
    });
  });
});

test('the difference is that of the scores over all sentences, in percentage points', () => {
  const { difference } = stratifiedShuffling(perSentence('1/2 6/8'), perSentence('2/2 2/8'));
  expect(difference).toBeCloseTo(30, 10);
});

test('parsers with different totals are compared too, as for PARSEVAL’s precision', () => {
  const { difference } = stratifiedShuffling(perSentence('1/2 6/8'), perSentence('2/4 2/6'));
  expect(difference).toBeCloseTo(30, 10);
});

test('two parsers with the same counts have one- and two-sided p = 1', () => {
  const a = perSentence('1/2 6/8 3/3');
  expect(stratifiedShuffling(a, a)).toEqual({ difference: 0, oneSided: 1, twoSided: 1 });
});

test('swapping A and B changes the sign of the difference but not the two-sided p', () => {
  fc.assert(
    fc.property(countsOfTwo(50), fc.nat(), ([a, b], seed) => {
      const there = stratifiedShuffling(a, b, { rounds: 100, seed });
      const back = stratifiedShuffling(b, a, { rounds: 100, seed });
      expect(back.difference).toBeCloseTo(-there.difference, 10);
      expect(back.twoSided).toBe(there.twoSided);
    }),
  );
});

test('the same seed gives the same p-values, another seed others', () => {
  const [a, b] = simulate(5, 100);
  const p = (seed: number) => stratifiedShuffling(a, b, { seed }).oneSided;
  expect(p(1)).toBe(p(1));
  expect(p(1)).not.toBe(p(2));
  expect(stratifiedShuffling(a, b)).toEqual(stratifiedShuffling(a, b, { rounds: 10_000, seed: 1 }));
});

test('p-values of equally good parsers are uniform', () => {
  const results = Array.from({ length: 1000 }, (_, seed) =>
    stratifiedShuffling(...simulate(seed, 150), { rounds: 199, seed }),
  );
  expect(distanceFromUniform(results.map(({ oneSided }) => oneSided))).toBeLessThan(3.5);
  expect(distanceFromUniform(results.map(({ twoSided }) => twoSided))).toBeLessThan(3.5);
});

describe('what cannot be compared is refused', () => {
  test('counts of different numbers of sentences', () => {
    const compare = () => stratifiedShuffling(perSentence('1/2'), perSentence('1/2 1/2'));
    expect(compare).toThrow(new InputError('expected counts of the same sentences, found 1 and 2 sentences'));
  });

  test('counts without tokens', () => {
    const nothing = perSentence('0/0 0/0');
    expect(() => stratifiedShuffling(nothing, nothing)).toThrow(new InputError('no tokens to compare'));
  });

  test.each([0, -1, 2.5, Number.NaN])('%s rounds', (rounds) => {
    const a = perSentence('1/2');
    expect(() => stratifiedShuffling(a, a, { rounds })).toThrow(
      new UsageError(`the number of rounds is ${rounds}, expected a whole number from 1`),
    );
  });
});

const gold = sharedPath('treebanks/ud-english-ewt/en_ewt-ud-dev.conllu');
const outputOf = (parser: string) => sharedPath(`oracles/dependencies/en_ewt-dev.${parser}.conllu`);

needsShared.describe('real parsers’ output', () => {
  const counted = new Map<string, ReturnType<typeof tokenOutcomes>>();
  /** Counted once for each parser. */
  const outcomes = async (parser: string) => {
    const found =
      counted.get(parser) ??
      tokenOutcomes(
        await openTreebank(gold, { expect: 'trees' }),
        await openTreebank(outputOf(parser), { expect: 'heads' }),
      );
    counted.set(parser, found);
    return found;
  };

  test.each([
    ['malt-arc-eager', 'uas', 0.268],
    ['malt-arc-eager', 'las', 0.065],
    ['yara-beam1', 'uas', 0.0048],
    ['yara-beam1', 'las', 0.134],
  ] as const)(
    'malt-stacklazy against %s by %s: p agrees with that of Bikel’s comparator, %s',
    async (other, metric, p) => {
      const a = (await outcomes('malt-stacklazy'))[metric].sentences;
      const b = (await outcomes(other))[metric].sentences;
      const exact = convolveSwaps(a, b);
      const deviation = Math.sqrt((exact * (1 - exact)) / rounds);
      expect(Math.abs(p - exact)).toBeLessThan(3 * deviation);
      expect(Math.abs(stratifiedShuffling(a, b).oneSided - exact)).toBeLessThan(3 * deviation);
    },
  );
});
