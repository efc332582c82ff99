import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GraphModel } from '../../../parsers/graph/graph-model.ts';
import { TreeDifference } from '../../../parsers/graph/learning/part-learning.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { readTrainingData } from '../../../parsers/graph/paradigm.ts';
import type { CandidateArcs } from '../../../src/decode/higher-order/candidate-arcs.ts';
import { HigherOrderChart } from '../../../src/decode/higher-order/higher-order-chart.ts';
import { AveragedWeights, FeatureDifference } from '../../../src/learn/linear/weights.ts';
import { Random } from '../../../src/learn/random.ts';
import { projectiveTrees, rootCount } from '../../support/random-trees.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const BITS = 14;

const short = [
  sentence('a b', '0 1', { upos: 'X Y' }),
  sentence('a b c', '2 0 2', { upos: 'X Y X' }),
  sentence('b a d c', '2 0 4 2', { upos: 'Y X X Z' }),
  sentence('a d c b a', '3 1 0 3 4', { upos: 'X X Z Y X' }),
  sentence('c a b d a b', '2 3 0 5 3 5', { upos: 'Z X Y X X Y' }),
];

/** A model of the given order, sentences for it, and random weights. */
async function modelOf(order: number) {
  const options = graphOptions.parse({ order, decoder: 'eisner' });
  const data = await readTrainingData(treebank('sample', ...short), options, { seed: 1, jobs: 1 });
  const model = new GraphModel(data);
  const weights = new AveragedWeights(2 ** BITS);
  const random = new Random(5);
  for (let i = 0; i < weights.size; i++) weights.values[i] = random.below(2001) - 1000;
  return { model, higherOrder: model.higherOrder!, weights, examples: data.examples };
}

function everyArc(n: number, candidates: CandidateArcs): void {
  candidates.start(n);
  for (let d = 1; d <= n; d++) for (let h = 0; h <= n; h++) if (h !== d) candidates.add(h, d);
  candidates.finish();
}

describe.each([2, 3])('the parts of trees of order %i', (order) => {
  test('give the best score to the tree with the highest sum of feature weights', async () => {
    const { model, higherOrder, weights, examples } = await modelOf(order);
    const { parts, candidates } = higherOrder;
    const difference = new FeatureDifference(weights);
    const trees = new TreeDifference(parts, difference, weights.size - 1);
    fc.assert(
      fc.property(fc.nat(examples.length - 1), (e) => {
        const example = examples[e]!;
        const n = example.length;
        model.arcs.prepare(example);
        everyArc(n, candidates);
        higherOrder.score(example, weights.values);
        const best = new Int32Array(n + 1);
        new HigherOrderChart({ singleRoot: true }).decode(candidates, parts.scores, best);
        for (const other of projectiveTrees(n).filter((heads) => rootCount(heads, n) === 1)) {
          trees.set(best, other, n);
          expect(difference.score()).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('do not differ between equal trees, and differ by the negative if two trees are swapped', async () => {
    const { model, higherOrder, weights, examples } = await modelOf(order);
    const difference = new FeatureDifference(weights);
    const trees = new TreeDifference(higherOrder.parts, difference, weights.size - 1);
    for (const example of examples) {
      const n = example.length;
      model.arcs.prepare(example);
      higherOrder.parts.prepare(example);
      const [tree, other] = projectiveTrees(n);
      trees.set(tree!, tree!, n);
      expect(difference.squaredNorm()).toBe(0);
      trees.set(tree!, other!, n);
      const score = difference.score();
      expect(difference.squaredNorm()).toBeGreaterThan(0);
      trees.set(other!, tree!, n);
      expect(difference.score()).toBe(-score);
    }
  });
});
