import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pruner } from '../../../parsers/graph/graph-model.ts';
import { createEisner } from '../../../src/decode/eisner.ts';
import { CandidateArcs, NO_ARC } from '../../../src/decode/higher-order/candidate-arcs.ts';
import { UNIT } from '../../../src/learn/linear/learner.ts';
import { scoreMatrices, scoreValues, seededScores } from '../../support/random-trees.ts';

const kinds = [true, false].flatMap((isProjective) =>
  [true, false].map((singleRoot) => ({ isProjective, singleRoot })),
);

describe.each(kinds)('the pruner with isProjective $isProjective and singleRoot $singleRoot', (options) => {
  test('always keeps the arcs of the best first-order tree, and of the gold tree if there is one', () => {
    const pruner = new Pruner(options);
    const arcs = new CandidateArcs();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer(), (n, seed) => {
        const { scores } = seededScores(n, seed);
        const heads = new Int32Array(n + 1);
        createEisner(options).decode(scores, n, heads);
        const gold = Int32Array.from({ length: n + 1 }, (_, d) => d - 1);
        pruner.prune(scores, n, arcs, gold);
        for (let d = 1; d <= n; d++) {
          expect(arcs.arc(heads[d]!, d)).not.toBe(NO_ARC);
          expect(arcs.arc(d - 1, d)).not.toBe(NO_ARC);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('keeps all arcs if scores hardly differ, up to about ten heads per token', () => {
    const pruner = new Pruner(options);
    const arcs = new CandidateArcs();
    fc.assert(
      fc.property(scoreMatrices(1, 6, scoreValues.tied), ({ n, scores }) => {
        pruner.prune(scores, n, arcs);
        expect(arcs.count - 1).toBe(n * n);
      }),
    );
    const n = 40;
    pruner.prune(new Float32Array((n + 1) ** 2), n, arcs);
    for (let d = 1; d <= n; d++) expect(arcs.into[d + 1]! - arcs.into[d]!).toBeLessThanOrEqual(11);
  });

  test('keeps more arcs in training than in parsing', () => {
    const pruner = new Pruner(options);
    const [learning, parsing] = [new CandidateArcs(), new CandidateArcs()];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer(), (n, seed) => {
        const { scores } = seededScores(n, seed);
        pruner.prune(scores, n, parsing);
        const heads = new Int32Array(n + 1);
        createEisner(options).decode(scores, n, heads);
        pruner.prune(scores, n, learning, heads);
        for (let arc = 1; arc < parsing.count; arc++) {
          expect(learning.arc(parsing.heads[arc]!, parsing.dependents[arc]!)).not.toBe(NO_ARC);
        }
      }),
      { numRuns: 30 },
    );
    const [n, nearly] = [2, Float32Array.from([0, 0, 0, 0, 0, 0, 0, -3.5 * UNIT, 0])];
    pruner.prune(nearly, n, parsing);
    pruner.prune(nearly, n, learning, Int32Array.from([-1, 0, 0]));
    expect([parsing.arc(2, 1), learning.arc(2, 1)]).toEqual([NO_ARC, expect.any(Number)]);
    expect(learning.arc(2, 1)).not.toBe(NO_ARC);
  });

  test('leaves out an arc if every tree with it scores far below the best tree', () => {
    const n = 3;
    const scores = new Float32Array((n + 1) ** 2).fill(-100_000);
    const tree = [-1, 2, 0, 2];
    for (let d = 1; d <= n; d++) scores[tree[d]! * (n + 1) + d] = 0;
    const arcs = new CandidateArcs();
    new Pruner(options).prune(scores, n, arcs);
    expect(arcs.count - 1).toBe(n);
  });
});
