import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArcEager } from '../../../../parsers/transition/systems/arc-eager.ts';
import { ArcStandard, ArcSwap } from '../../../../parsers/transition/systems/arc-standard.ts';
import { isProjective, roots } from '../../../../src/treebank/tree.ts';
import { randomHeads } from '../../../support/random-trees.ts';
import { type RealTreebank, realSentences } from '../../../support/real-treebanks.ts';
import { needsShared } from '../../../support/shared.ts';
import {
  type LabelledTree,
  type TestedSystem,
  tested,
  testedYamadaMatsumoto,
} from '../../../support/transition-systems.ts';

type Make = (singleRoot: boolean) => TestedSystem;

const systems: Readonly<Record<string, Make>> = {
  'yamada-matsumoto': testedYamadaMatsumoto,
  'arc-standard': (singleRoot) => tested(new ArcStandard(singleRoot)),
  'arc-eager': (singleRoot) => tested(new ArcEager(singleRoot)),
  'arc-swap': (singleRoot) => tested(new ArcSwap(singleRoot)),
};

/** A tree whose labels tell its tokens apart. */
function labelled(heads: Int32Array): LabelledTree {
  return { heads, labels: heads.map((_, d) => (d === 0 ? 0 : 1 + (d % 30))) };
}

/** What the oracle does with a tree: `rebuilt`, `refused`, or else a description of the tree built instead. */
function outcome(make: Make, heads: Int32Array): 'rebuilt' | 'refused' | string {
  const gold = labelled(heads);
  const modes = roots(heads).length === 1 ? [true, false] : [false];
  const outcomes = modes.map((singleRoot) => {
    const system = make(singleRoot);
    const built = system.rebuild(gold);
    if (built === undefined) return 'refused';
    const labels = make === testedYamadaMatsumoto ? built.labels : gold.labels;
    const isSame = built.heads.join() === heads.join() && built.labels.join() === labels.join();
    return isSame ? 'rebuilt' : `${heads.join(' ')} became ${built.heads.join(' ')}`;
  });
  return outcomes.find((one) => one !== outcomes[0]) ?? outcomes[0]!;
}

describe.each(Object.entries(systems))('the oracle of %s', (name, make) => {
  test('rebuilds random projective trees, labels included', () => {
    fc.assert(
      fc.property(randomHeads(1, 12), (heads) => {
        fc.pre(isProjective(heads));
        expect(outcome(make, heads)).toBe('rebuilt');
      }),
      { numRuns: 500 },
    );
  });

  test(`${name === 'arc-swap' ? 'rebuilds' : 'refuses'} random trees that are not projective`, () => {
    fc.assert(
      fc.property(randomHeads(4, 12), (heads) => {
        fc.pre(!isProjective(heads));
        expect(outcome(make, heads)).toBe(name === 'arc-swap' ? 'rebuilt' : 'refused');
      }),
      { numRuns: 500 },
    );
  });

  test('rebuilds chains and stars of thousands of tokens', () => {
    const n = 3000;
    const shapes = [
      (d: number) => d - 1,
      (d: number) => (d === n ? 0 : d + 1),
      (d: number) => (d === 1 ? 0 : 1),
    ];
    for (const headOf of shapes) {
      const heads = Int32Array.from({ length: n + 1 }, (_, d) => (d === 0 ? -1 : headOf(d)));
      expect(outcome(make, heads)).toBe('rebuilt');
    }
  });
});

describe.each(Object.keys(systems))('the oracle of %s', (name) => {
  test('refuses a tree with several roots if one is required', () => {
    expect(systems[name]!(true).rebuild(labelled(Int32Array.of(-1, 0, 0)))).toBeUndefined();
    expect(systems[name]!(false).rebuild(labelled(Int32Array.of(-1, 0, 0)))).toBeDefined();
  });
});

/** The number of sentences of each treebank, and of those whose trees are not projective. */
const treebanks: readonly (readonly [name: RealTreebank, sentences: number, nonProjective: number])[] = [
  ['Basque', 2595, 669],
  ['Czech', 316, 49],
  ['English', 2001, 31],
  ['GENIA', 1361, 1],
  ['Hungarian', 441, 121],
  ['Spanish', 2949, 52],
  ['Telugu', 131, 0],
  ['Vietnamese', 1123, 9],
];

needsShared.describe('the oracles on real treebanks', () => {
  test.each(treebanks)(
    '%s: rebuild all of %i trees except %i non-projective ones, which only arc-swap rebuilds',
    async (name, sentences, nonProjective) => {
      const trees = (await realSentences(name)).map(({ heads }) => heads);
      expect(trees).toHaveLength(sentences);
      for (const [system, make] of Object.entries(systems)) {
        const exceptions = trees.map((heads) => outcome(make, heads)).filter((one) => one !== 'rebuilt');
        const refused = Array(system === 'arc-swap' ? 0 : nonProjective).fill('refused');
        expect({ system, exceptions }).toEqual({ system, exceptions: refused });
      }
    },
  );
});
