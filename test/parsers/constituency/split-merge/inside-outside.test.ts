import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InsideOutside } from '../../../../parsers/constituency/split-merge/forest.ts';
import { Random } from '../../../../src/learn/random.ts';
import { allRules, derivations, fullForest, randomGrammar, share } from '../../../support/split-grammars.ts';

/** A small random grammar, all trees of a sentence by it, and their probabilities. */
function weighed(seed: number, symbolCount: number, n: number) {
  const random = new Random(seed);
  const rules = allRules(symbolCount);
  const substates = Int32Array.from({ length: symbolCount }, (_, a) => (a === 0 ? 1 : 1 + random.below(2)));
  const grammar = randomGrammar(rules, substates, random);
  const forest = fullForest(rules, symbolCount, n);
  const charts = new InsideOutside(grammar);
  charts.place(forest);
  for (const leaf of forest.leaves.subarray(0, forest.leafCount)) {
    for (let at = charts.offsets[leaf]; at < charts.offsets[leaf + 1]; at++)
      charts.inside[at] = share(random);
  }
  const words = charts.inside.slice();
  const total = charts.fillInside(forest);
  const weights = new Float64Array(forest.edgeCount);
  charts.fillOutside(forest, weights);
  const all = derivations(forest, grammar, (leaf, substate) => words[charts.offsets[leaf] + substate]);
  return { forest, charts, total, weights, all };
}

const cases = [fc.integer(), fc.integer({ min: 2, max: 3 }), fc.integer({ min: 1, max: 3 })] as const;
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe('inside and outside probabilities', () => {
  it('give the sum over all trees and all substates', () => {
    fc.assert(
      fc.property(...cases, (seed, symbolCount, n) => {
        const { total, all } = weighed(seed, symbolCount, n);
        expect(total).toBeCloseTo(sum(all.map(({ probability }) => probability)), 10);
      }),
      { numRuns: 30 },
    );
  });

  it('give every edge the sum over the trees that it is part of', () => {
    fc.assert(
      fc.property(...cases, (seed, symbolCount, n) => {
        const { forest, weights, all } = weighed(seed, symbolCount, n);
        for (let edge = 0; edge < forest.edgeCount; edge++) {
          const own = all.filter(({ edges }) => edges.includes(edge));
          expect(weights[edge]).toBeCloseTo(sum(own.map(({ probability }) => probability)), 10);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('have the same sum of products at every word', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 7 }), (seed, n) => {
        const { forest, charts, total } = weighedOnly(seed, n);
        const sums = new Float64Array(n);
        for (let leaf = 0; leaf < forest.leafCount; leaf++) {
          const item = forest.leaves[leaf];
          for (let at = charts.offsets[item]; at < charts.offsets[item + 1]; at++) {
            sums[forest.words[leaf]] += charts.inside[at] * charts.outside[at];
          }
        }
        for (const one of sums) expect(one / total).toBeCloseTo(1, 10);
      }),
      { numRuns: 30 },
    );
  });
});

/** The same without a list of all trees, of which there are too many. */
function weighedOnly(seed: number, n: number) {
  const random = new Random(seed);
  const rules = allRules(4);
  const grammar = randomGrammar(rules, Int32Array.of(1, 2, 3, 2), random);
  const forest = fullForest(rules, 4, n);
  const charts = new InsideOutside(grammar);
  charts.place(forest);
  for (const leaf of forest.leaves.subarray(0, forest.leafCount)) {
    for (let at = charts.offsets[leaf]; at < charts.offsets[leaf + 1]; at++)
      charts.inside[at] = share(random);
  }
  const total = charts.fillInside(forest);
  charts.fillOutside(forest);
  return { forest, charts, total };
}
