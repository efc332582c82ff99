import { describe, expect, test } from 'vitest';
import { ArcEager, ArcEagerOracle } from '../../../../parsers/transition/systems/arc-eager.ts';
import { StackConfiguration } from '../../../../parsers/transition/systems/stack-configuration.ts';
import { isProjective, roots } from '../../../../src/treebank/tree.ts';
import { allTrees } from '../../../support/random-trees.ts';

/** A configuration that transitions can reach, and the state to which each next transition leads. */
interface State {
  readonly configuration: StackConfiguration;
  readonly next: Map<number, State>;
}

function everyState(system: ArcEager, length: number): Map<string, State> {
  const states = new Map<string, State>();
  const explore = (configuration: StackConfiguration): State => {
    const key = describeState(configuration, length);
    const known = states.get(key);
    if (known !== undefined) return known;
    const state: State = { configuration, next: new Map() };
    states.set(key, state);
    if (system.isComplete(configuration)) return state;
    for (const action of system.actions.filter((one) => system.permits(configuration, one))) {
      const after = new StackConfiguration();
      after.copy(configuration);
      system.apply(after, action, 0);
      state.next.set(action, explore(after));
    }
    return state;
  };
  const start = new StackConfiguration();
  system.start(start, length);
  explore(start);
  return states;
}

function describeState(configuration: StackConfiguration, length: number): string {
  const upTo = (count: number, at: (i: number) => number) => Array.from({ length: count }, (_, i) => at(i));
  return [
    upTo(configuration.stackSize, (i) => configuration.stack(i)),
    upTo(configuration.bufferSize, (i) => configuration.buffer(i)),
    upTo(length, (i) => configuration.head(i + 1)),
    configuration.unshifted,
  ].join(' | ');
}

/** The highest number of gold arcs in any tree that can be reached from a state. */
function mostArcs({ configuration, next }: State, heads: Int32Array, known: Map<unknown, number>): number {
  let most = known.get(configuration);
  if (most === undefined) {
    most =
      next.size === 0
        ? heads.filter((h, d) => d > 0 && configuration.head(d) === h).length
        : Math.max(...[...next.values()].map((after) => mostArcs(after, heads, known)));
    known.set(configuration, most);
  }
  return most;
}

/** The cost of each transition from these states, as found by exhaustive search and as given by the oracle. */
function costs(states: Iterable<State>, length: number, heads: Int32Array) {
  const oracle = new ArcEagerOracle(new ArcEager(true));
  oracle.start({ length, heads, labels: new Int32Array(length + 1) });
  const known = new Map<unknown, number>();
  return [...states].map((state) => {
    const before = mostArcs(state, heads, known);
    const described = { heads: heads.join(' '), state: describeState(state.configuration, length) };
    return {
      true: {
        ...described,
        costs: [...state.next].map(([k, to]) => [k, before - mostArcs(to, heads, known)]),
      },
      told: {
        ...described,
        costs: [...state.next.keys()].map((k) => [k, oracle.cost(state.configuration, k)]),
      },
    };
  });
}

describe('the dynamic oracle of arc-eager', () => {
  test.each([1, 2, 3, 4])(
    'counts the gold arcs that each transition loses, for all states and projective trees of %i tokens',
    (length) => {
      const states = [...everyState(new ArcEager(false), length).values()];
      for (const heads of allTrees(length).filter(isProjective)) {
        for (const state of costs(states, length, heads)) expect(state.told).toEqual(state.true);
      }
    },
  );

  describe.each([3, 4])('for trees of %i tokens that must have one root', (length) => {
    const states = everyState(new ArcEager(true), length);
    const trees = allTrees(length).filter((heads) => isProjective(heads) && roots(heads).length === 1);

    test('is exact after a word was put back on the buffer', () => {
      const putBack = [...states.values()].filter(({ configuration }) => configuration.unshifted !== 0);
      expect(putBack).not.toHaveLength(0);
      for (const heads of trees) {
        for (const state of costs(putBack, length, heads)) expect(state.told).toEqual(state.true);
      }
    });

    test('counts before that as if no word were ever put back', () => {
      const withoutUnshift = everyState(new ArcEager(false), length);
      const before = [...states].filter(
        ([, { configuration }]) => configuration.unshifted === 0 && configuration.buffer(0) !== 0,
      );
      const same = before.map(([key]) => withoutUnshift.get(key)!);
      expect(before.map(([, { next }]) => [...next.keys()])).toEqual(
        same.map(({ next }) => [...next.keys()]),
      );
      for (const heads of trees) {
        for (const state of costs(same, length, heads)) expect(state.told).toEqual(state.true);
      }
    });

    test('always has a transition that costs nothing', () => {
      let judged = 0;
      for (const heads of trees) {
        for (const { told } of costs(states.values(), length, heads)) {
          if (told.costs.length === 0) continue;
          expect(Math.min(...told.costs.map(([, cost]) => cost!))).toBe(0);
          judged++;
        }
      }
      expect(judged).toBeGreaterThan(trees.length);
    });
  });
});
