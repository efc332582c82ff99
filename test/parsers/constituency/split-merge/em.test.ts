import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binarized, type GrammarTree } from '../../../../parsers/constituency/binarize.ts';
import { offsetsOf } from '../../../../parsers/constituency/grammar.ts';
import type { Forest } from '../../../../parsers/constituency/split-merge/forest.ts';
import { Corpus } from '../../../../parsers/constituency/split-merge/learning/corpus.ts';
import {
  Expectation,
  maximized,
  substateCounts,
} from '../../../../parsers/constituency/split-merge/learning/em.ts';
import {
  MergeLosses,
  merged,
  splitInTwo,
} from '../../../../parsers/constituency/split-merge/learning/split-and-merge.ts';
import {
  parentOf,
  type SplitGrammar,
  unsplit,
} from '../../../../parsers/constituency/split-merge/split-grammar.ts';
import { cleaned } from '../../../../parsers/constituency/syntax-tree.ts';
import { Random } from '../../../../src/learn/random.ts';
import type { PhraseTree } from '../../../../src/treebank/phrases/phrase-tree.ts';
import { phraseTrees } from '../../../support/random-phrases.ts';

const unsmoothed = { rules: 0, words: 0 };

/** Treebank trees as forests, and the grammar read off them. */
function learnable(trees: readonly PhraseTree[]) {
  const numbers = new Map<string, number>();
  const stateOf = ({ symbol }: GrammarTree) => {
    const number = numbers.get(symbol) ?? numbers.size;
    numbers.set(symbol, number);
    return number;
  };
  const corpus = new Corpus(stateOf, (form) => form);
  for (const tree of trees) {
    const ready = cleaned({ label: 'TOP', children: [tree] }, { functions: false, unaries: 'keep' });
    if (ready === undefined) continue;
    const fine = binarized(ready, { vertical: 1, tagParents: false, horizontal: '0', binarize: 'head' });
    corpus.add({ fine, coarse: fine });
  }
  const grammar = unsplit(corpus.fine.columns(), corpus.fine.counts, numbers.size);
  const mayBeSplit = new Uint8Array(numbers.size).fill(1);
  if (numbers.has(' ')) mayBeSplit[numbers.get(' ')!] = 0;
  return { trees: corpus.trees, grammar, mayBeSplit };
}

function expected(grammar: SplitGrammar, trees: readonly Forest[]): Expectation {
  const expectation = new Expectation(grammar);
  for (const tree of trees) expect(expectation.add(tree)).toBe(true);
  return expectation;
}

/** Splits every substate in two, and runs the given number of EM steps. */
function learnt({ trees, grammar, mayBeSplit }: ReturnType<typeof learnable>, seed: number, steps: number) {
  const likelihoods: number[] = [];
  let split = splitInTwo(grammar, mayBeSplit, new Random(seed));
  for (let step = 0; step < steps; step++) {
    const expectation = expected(split, trees);
    likelihoods.push(expectation.logLikelihood);
    split = maximized(split, expectation.counts, unsmoothed);
  }
  return { split, likelihoods };
}

const treebanks = fc.array(phraseTrees, { minLength: 1, maxLength: 8 });

describe('EM', () => {
  it('never makes the trees less likely', () => {
    fc.assert(
      fc.property(treebanks, fc.integer(), (trees, seed) => {
        // The first likelihood is left out, as its probabilities do not yet sum to 1.
        const [, ...likelihoods] = learnt(learnable(trees), seed, 8).likelihoods;
        for (const [i, one] of likelihoods.slice(1).entries()) {
          expect(one).toBeGreaterThanOrEqual(likelihoods[i] - 1e-7 * (1 + Math.abs(likelihoods[i])));
        }
      }),
      { numRuns: 40 },
    );
  });

  it.each([unsmoothed, { rules: 0.1, words: 0.3 }])(
    'gives probabilities that sum to 1: smoothing %o',
    (smoothing) => {
      fc.assert(
        fc.property(treebanks, fc.integer(), (trees, seed) => {
          const data = learnable(trees);
          const { split } = learnt(data, seed, 2);
          const grammar = maximized(split, expected(split, data.trees).counts, smoothing);
          const offsets = offsetsOf(grammar.substates);
          const sums = new Map<number, number>();
          for (const [rule, parent] of grammar.rules.parents.entries()) {
            for (let x = grammar.starts[rule]; x < grammar.starts[rule + 1]; x++) {
              const substate = offsets[parent] + parentOf(grammar.places[x]);
              sums.set(substate, (sums.get(substate) ?? 0) + grammar.probabilities[x]);
            }
          }
          for (const one of sums.values()) expect(one).toBeCloseTo(1, 8);
        }),
        { numRuns: 20 },
      );
    },
  );

  it('gives expected counts of rules that add up to the number of rules in the trees', () => {
    fc.assert(
      fc.property(treebanks, fc.integer(), (trees, seed) => {
        const data = learnable(trees);
        const { counts } = expected(learnt(data, seed, 3).split, data.trees);
        const rules = data.trees.reduce((sum, { edgeCount, leafCount }) => sum + edgeCount + leafCount, 0);
        expect(counts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(rules, 5);
      }),
      { numRuns: 20 },
    );
  });
});

describe('merging', () => {
  it('loses nothing if the halves are alike', () => {
    fc.assert(
      fc.property(treebanks, (trees) => {
        const { trees: forests, grammar, mayBeSplit } = learnable(trees);
        const alike = { next: () => 2 ** 31 } as unknown as Random;
        const split = splitInTwo(grammar, mayBeSplit, alike);
        const { counts, logLikelihood } = expected(split, forests);
        const substates = substateCounts(split, counts);
        const losses = new MergeLosses(split, mayBeSplit, substates);
        const expectation = new Expectation(split);
        for (const tree of forests) {
          expectation.add(tree);
          losses.add(tree, expectation);
        }
        for (const loss of losses.losses) expect(loss).toBeCloseTo(0, 8);
        const again = merged(split, losses.lowest(1), substates);
        expect([...again.substates]).toEqual([...grammar.substates]);
        expect(expected(again, forests).logLikelihood).toBeCloseTo(logLikelihood, 6);
      }),
      { numRuns: 30 },
    );
  });

  it('removes the given share of the splits, and leaves every tree a probability above zero', () => {
    fc.assert(
      fc.property(
        treebanks,
        fc.integer(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (trees, seed, share) => {
          const data = learnable(trees);
          const { split } = learnt(data, seed, 4);
          const { counts } = expected(split, data.trees);
          const substates = substateCounts(split, counts);
          const losses = new MergeLosses(split, data.mayBeSplit, substates);
          const fewer = merged(split, losses.lowest(share), substates);
          const pairs = data.mayBeSplit.reduce((sum, one) => sum + one, 0);
          const total = (numbers: Int32Array) => numbers.reduce((sum, n) => sum + n, 0);
          expect(total(split.substates) - total(fewer.substates)).toBe(Math.floor(share * pairs));
          expect(expected(fewer, data.trees).logLikelihood).toBeGreaterThan(Number.NEGATIVE_INFINITY);
        },
      ),
      { numRuns: 20 },
    );
  });
});
