import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MaxRule } from '../../../../parsers/constituency/split-merge/max-rule.ts';
import { Random } from '../../../../src/learn/random.ts';
import { nodesOf, type PhraseTree } from '../../../../src/treebank/phrases/phrase-tree.ts';
import { allRules, derivations, fullForest, randomGrammar, share } from '../../../support/split-grammars.ts';

const labels = [undefined, 'A', 'B'];

/** The brackets of a tree with their labels, in order. */
function shape(tree: PhraseTree): string {
  return nodesOf(tree)
    .map(({ label, form, children }) => `${label}${form ?? children.length}`)
    .join(' ');
}

it('the tree found has the largest product of rule probabilities of all trees', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 4 }), (seed, n) => {
      const random = new Random(seed);
      const rules = allRules(3);
      const forest = fullForest(rules, 3, n);
      const grammar = randomGrammar(rules, Int32Array.of(1, 1, 1), random);
      const all = derivations(
        forest,
        { ...grammar, probabilities: grammar.probabilities.fill(1) } as never,
        () => 1,
      );
      if (all.length === 0) return;
      const weights = Float64Array.from({ length: forest.edgeCount }, () => share(random));
      const isAny = new Set(all.flatMap(({ edges }) => edges));
      for (const edge of weights.keys()) if (!isAny.has(edge)) weights[edge] = 0;
      const score = (edges: readonly number[]) =>
        edges.reduce((sum, edge) => sum + Math.log(weights[edge]), 0);
      const best = Math.max(...all.map(({ edges }) => score(edges)));

      const maxRule = new MaxRule({ labels, paths: Array.from(rules.parents, () => []) });
      maxRule.start(forest);
      const edges = Int32Array.from(weights.keys());
      maxRule.add(forest.edgeCount, edges, weights, 1);
      const forms = Array.from({ length: n }, (_, i) => `w${i}`);
      const found = shape(maxRule.tree(forest, forms));

      const bestOnes = all.filter(({ edges }) => score(edges) > best - 1e-9);
      const shapes = bestOnes.map((one) => {
        const alone = new MaxRule({ labels, paths: Array.from(rules.parents, () => []) });
        alone.start(forest);
        const only = weights.map((_, edge) => (one.edges.includes(edge) ? 1 : 0));
        alone.add(forest.edgeCount, edges, only, 1);
        return shape(alone.tree(forest, forms));
      });
      expect(shapes).toContain(found);

      const trees = maxRule.kBest(forest, forms, 8).map(({ tree }) => shape(tree));
      expect(trees.length).toBeGreaterThanOrEqual(Math.min(8, all.length));
      expect(trees[0]).toBe(found);
      const scored = all.map(({ edges }) => score(edges)).sort((a, b) => b - a);
      // After the grammar's trees come others of the forest, with edges that have no posterior.
      for (const [rank, tree] of trees.slice(0, all.length).entries()) {
        const same = all.filter(({ edges }) => Math.abs(score(edges) - scored[rank]) < 1e-9);
        const shapesOf = same.map((one) => {
          const alone = new MaxRule({ labels, paths: Array.from(rules.parents, () => []) });
          alone.start(forest);
          alone.add(
            forest.edgeCount,
            edges,
            weights.map((_, edge) => (one.edges.includes(edge) ? 1 : 0)),
            1,
          );
          return shape(alone.tree(forest, forms));
        });
        expect(shapesOf).toContain(tree);
      }
    }),
    { numRuns: 60 },
  );
});

it('scores are sums over all added grammars, and their means are log probabilities', () => {
  const rules = allRules(3);
  const forest = fullForest(rules, 3, 3);
  const edges = Int32Array.from({ length: forest.edgeCount }, (_, edge) => edge);
  const maxRule = new MaxRule({ labels, paths: Array.from(rules.parents, () => []) });
  maxRule.start(forest);
  for (const posterior of [0.5, 0.125])
    maxRule.add(forest.edgeCount, edges, new Float64Array(forest.edgeCount).fill(posterior), 1);
  const [{ score }] = maxRule.derivation(forest);
  expect(score).toBeCloseTo(Math.log(0.5) + Math.log(0.125), 12);
  expect(maxRule.mean(score)).toBeCloseTo(Math.log(0.25), 12);
});
