import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArcFeatureValues } from '../../../parsers/bigram/interpolated.ts';
import { LabelFeatureValues } from '../../../parsers/bigram/labels.ts';
import { arcNotation, PatternKeys } from '../../../parsers/bigram/patterns.ts';
import {
  type Choices,
  COUNT_CLASSES,
  holdOut,
  learnWeights,
  Phases,
} from '../../../parsers/bigram/training/held-out.ts';
import { learnInterpolated, PatternCounts } from '../../../parsers/bigram/training/learn-arcs.ts';
import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import { Random } from '../../../src/learn/random.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';
import { sentence } from '../../support/sentences.ts';

const one = sentence('the dog , the cat sleeps', '2 6 2 5 2 0', { upos: 'D N P D N V' });
const { encoder: arcEncoder, sentence: numbers } = encoded(one, ['form', 'upos']);
const form = arcEncoder.vocabulary(0);
const punctuation = new Uint8Array(form.size);
punctuation[form.idOf(',')] = 1;
const featureColumns = { tag: 1, form: 0, tagCount: arcEncoder.vocabulary(1).size, punctuation };

test('the feature values of an arc are direction, distance, counts between and the set of tags between', () => {
  const parts = new ArcFeatureValues(featureColumns, one.length);
  parts.prepare(numbers, 6);
  const { direction, distance, between, crossed } = parts.of;
  expect([...direction.subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([...distance.subarray(0, 6)]).toEqual([12, 10, 8, 6, 4, 2]);
  // Between the first noun and the verb: one noun (the head's tag), no verb (the dependent's) and one mark; far.
  expect(between[2]).toBe(2 * ((1 * 9 + 0 * 3 + 1) * 3 + 2));
  expect(between[5]).toBe(0);
  // A punctuation mark that is itself the head is not between.
  expect(between[3]).toBe(2 * 1);
  const set = (names: string[]) =>
    names.reduce((bits, name) => bits | (1 << (arcEncoder.vocabulary(1).idOf(name) % 29)), 0);
  expect(crossed[2]).toBe(2 * set(['P', 'D', 'N']));
  expect(crossed[4]).toBe(2 * set(['N']));
  parts.prepare(numbers, 1);
  expect([...direction.subarray(2)]).toEqual([1, 1, 1, 1, 1]);
  expect([...distance.subarray(2)]).toEqual([3, 5, 7, 9, 11]);
});

test('the feature values of a labelled arc include the dependent’s marker and the sibling towards the head', () => {
  const parts = new LabelFeatureValues(featureColumns, { heads: one.heads }, one.length);
  parts.prepare(numbers, 5);
  expect(parts.of.direction[2]).toBe(0);
  expect(parts.of.distance[2]).toBe(2);
  expect(parts.of.marker[2]).toBe(2 * (form.idOf('the') + 1));
  expect(parts.of.sibling[2]).toBe(2 * (arcEncoder.vocabulary(1).idOf('P') + 1));
  parts.prepare(numbers, 1);
  expect(parts.of.direction[2]).toBe(1);
  expect(parts.of.marker[2]).toBe(1);
  expect(parts.of.sibling[2]).toBe(1);
});

const sentences = fc.sample(smallSentences(1, 12), { numRuns: 45, seed: 1 });
const columns: EncodedColumn[] = ['form', 'upos', 'xpos'];
const { encoder } = encoded(sentences[0], columns);
const examples = sentences.map((one) => ({
  ...encoder.learn(one),
  heads: one.heads,
  labels: new Int32Array(one.length + 1),
}));
const patterns = arcNotation.patterns(
  ['hp dp', 'hp dp distance < hp dp', 'hp hx dp dx distance < hp dp distance'],
  { names: columns, tags: ['upos', 'xpos'], isFilled: () => true },
);
const parts = {
  tag: 1,
  form: 0,
  tagCount: encoder.vocabulary(1).size,
  punctuation: new Uint8Array(encoder.vocabulary(0).size),
};
const keys = () => new PatternKeys(patterns, (most) => new ArcFeatureValues(parts, most));
const phases = () => new Phases({ seed: 1, jobs: 1 }, 1, 1);

/** What the patterns read of an arc, as strings. */
function read({ upos, xpos }: Sentence, h: number, d: number): string[] {
  const side = h < d ? 'right' : 'left';
  const length = Math.abs(h - d);
  const distance = `${side} ${length <= 5 ? length : length <= 10 ? '6–10' : 'more'}`;
  return [
    `${upos[h]} ${upos[d]} ${side}`,
    `${upos[h]} ${upos[d]} ${distance}`,
    `${upos[h]} ${xpos[h]} ${upos[d]} ${xpos[d]} ${distance}`,
  ];
}

interface Saying {
  readonly gain: number;
  readonly countClass: number;
}

/** The gain of an arc by each pattern, from the coarsest on, computed plainly from counts of known sentences. */
function literalGains(known: readonly Sentence[]): (one: Sentence, h: number, d: number) => Saying[] {
  const counts = patterns.map(() => new Map<string, { pairs: number; arcs: number }>());
  let [pairs, arcs] = [0, 0];
  for (const one of known) {
    for (let d = 1; d <= one.length; d++) {
      for (let h = 0; h <= one.length; h++) {
        if (h === d) continue;
        const isArc = one.heads[d] === h ? 1 : 0;
        pairs++;
        arcs += isArc;
        read(one, h, d).forEach((key, k) => {
          const count = counts[k].get(key) ?? { pairs: 0, arcs: 0 };
          counts[k].set(key, { pairs: count.pairs + 1, arcs: count.arcs + isArc });
        });
      }
    }
  }
  const prior = (arcs + 1) / (pairs + 2);
  return (one, h, d) => {
    let coarser = prior;
    return read(one, h, d).map((key, k) => {
      const count = counts[k].get(key);
      if (count === undefined || (count.arcs === 0 && count.pairs < 2)) return { gain: 0, countClass: 0 };
      const estimate = (count.arcs + 2 * coarser) / (count.pairs + 2);
      const gain = logOdds(estimate) - logOdds(coarser);
      coarser = estimate;
      return { gain, countClass: [2, 4, 12, 60].filter((least) => count.pairs >= least).length };
    });
  };
}

const logOdds = (probability: number) => Math.log(probability / (1 - probability + 1e-4));

const headsBut = (d: number, length: number) => [...Array(length + 1).keys()].filter((h) => h !== d);

describe('the interpolated estimate', () => {
  test('computes the gains of held-out sentences from the counts of the other blocks', async () => {
    const counts = await PatternCounts.of(keys(), examples, phases());
    const { gains, classes } = await holdOut(counts, patterns.length, examples, phases());
    let at = 0;
    sentences.forEach((one, s) => {
      const say = literalGains(sentences.filter((_, i) => Math.floor(i / 20) !== Math.floor(s / 20)));
      for (let d = 1; d <= one.length; d++) {
        for (const h of headsBut(d, one.length)) {
          for (const expected of say(one, h, d)) {
            expect(gains[at]).toBeCloseTo(expected.gain, 5);
            expect(classes[at]).toBe(expected.countClass);
            at++;
          }
        }
      }
    });
    expect(gains).toHaveLength(at);
  });

  test('scores an arc by the weighted gains of all patterns, leaving out negligible ones', async () => {
    const counts = await PatternCounts.of(keys(), examples, phases());
    const heldOut = await holdOut(counts, patterns.length, examples, phases());
    const weights = await learnWeights(heldOut, 7, phases());
    const estimate = await learnInterpolated(keys(), examples, 7, phases());
    const say = literalGains(sentences);
    sentences.forEach((one, s) => {
      const size = one.length + 1;
      const scores = new Float32Array(size ** 2).fill(9);
      estimate.score(examples[s], scores);
      for (let d = 1; d <= one.length; d++) {
        for (const h of headsBut(d, one.length)) {
          const weighted = say(one, h, d).map(
            ({ gain, countClass }, k) => weights[k * COUNT_CLASSES + countClass] * gain,
          );
          const expected = weighted.filter((value) => Math.abs(value) >= 0.05).reduce((a, b) => a + b, 0);
          // The gain of each pattern is quantized in steps of 1/4096.
          expect(Math.abs(scores[h * size + d] - expected)).toBeLessThan(4e-4);
        }
      }
    });
  });
});

/** Stochastic gradient descent with the steps of AdaGrad on the logarithm of the right candidate's probability. */
function literalWeights({ patterns: width, gains, classes, first, gold }: Choices, seed: number): number[] {
  const weights = Array<number>(width * COUNT_CLASSES).fill(0.5);
  const squares = weights.map(() => 1e-8);
  const sums = weights.map(() => 0);
  const random = new Random(seed);
  const order = Int32Array.from(gold.keys());
  const terms = (c: number) =>
    Array.from({ length: width }, (_, k) => ({
      j: k * COUNT_CLASSES + classes[c * width + k],
      value: gains[c * width + k],
    }));
  for (let pass = 0; pass < 8; pass++) {
    for (const i of random.shuffle(order)) {
      const candidates = Array.from({ length: first[i + 1] - first[i] }, (_, c) => first[i] + c);
      const odds = candidates.map((c) =>
        Math.exp(terms(c).reduce((sum, { j, value }) => sum + weights[j] * value, 0)),
      );
      const total = odds.reduce((a, b) => a + b);
      const gradient = weights.map(() => 0);
      candidates.forEach((c, at) => {
        const error = odds[at] / total - (c === gold[i] ? 1 : 0);
        if (Math.abs(error) >= 1e-4) for (const { j, value } of terms(c)) gradient[j] += error * value;
      });
      gradient.forEach((partial, j) => {
        if (partial === 0) return;
        squares[j] += partial ** 2;
        weights[j] -= (0.1 * partial) / Math.sqrt(squares[j]);
      });
      if (pass >= 4) for (const [j, weight] of weights.entries()) sums[j] += weight;
    }
  }
  return sums.map((sum) => sum / (4 * gold.length));
}

test('the weights of patterns equal those of a reference implementation', async () => {
  const counts = await PatternCounts.of(keys(), examples, phases());
  const heldOut = await holdOut(counts, patterns.length, examples, phases());
  const weights = await learnWeights(heldOut, 3, phases());
  expect(new Set(heldOut.classes)).toEqual(new Set([0, 1, 2, 3, 4]));
  for (const [j, expected] of literalWeights(heldOut, 3).entries())
    expect(weights[j]).toBeCloseTo(expected, 6);
});
