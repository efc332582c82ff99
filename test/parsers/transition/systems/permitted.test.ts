import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArcEager } from '../../../../parsers/transition/systems/arc-eager.ts';
import { ArcStandard, ArcSwap } from '../../../../parsers/transition/systems/arc-standard.ts';
import { Random } from '../../../../src/learn/random.ts';
import { isProjective, isTree, roots } from '../../../../src/treebank/tree.ts';
import { tested, testedYamadaMatsumoto } from '../../../support/transition-systems.ts';

/** The systems, each with the highest number of transitions for a sentence of n tokens. */
const systems = [
  {
    name: 'arc-standard',
    make: (singleRoot: boolean) => tested(new ArcStandard(singleRoot)),
    most: (n: number) => 2 * n,
  },
  {
    name: 'arc-eager',
    make: (singleRoot: boolean) => tested(new ArcEager(singleRoot)),
    most: (n: number) => 4 * n,
  },
  {
    // Two tokens are swapped at most once, and one of them shifted again.
    name: 'arc-swap',
    make: (singleRoot: boolean) => tested(new ArcSwap(singleRoot)),
    most: (n: number) => 2 * n + n * (n - 1),
  },
  {
    // Each of at most n passes shifts past every tree, and once more after each arc.
    name: 'yamada-matsumoto',
    make: testedYamadaMatsumoto,
    most: (n: number) => 2 * n + (n * (n - 1)) / 2,
  },
];

describe.each(systems)('choosing permitted transitions of $name at random', ({ name, make, most }) => {
  test.each([true, false])(
    'ends in a tree after a limited number of steps (one root required: %s)',
    (singleRoot) => {
      const system = make(singleRoot);
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 20 }), fc.integer(), (n, seed) => {
          const { heads, steps } = system.wander(n, new Random(seed));
          expect(isTree(heads)).toBe(true);
          if (singleRoot) expect(roots(heads)).toHaveLength(1);
          if (name !== 'arc-swap') expect(isProjective(heads)).toBe(true);
          expect(steps).toBeLessThanOrEqual(most(n));
        }),
        { numRuns: 500 },
      );
    },
  );
});
