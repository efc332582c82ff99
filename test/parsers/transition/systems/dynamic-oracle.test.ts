import { describe, expect, test } from 'vitest';
import { ArcEager } from '../../../../parsers/transition/systems/arc-eager.ts';
import type { StackConfiguration } from '../../../../parsers/transition/systems/stack-configuration.ts';
import { isProjective } from '../../../../src/treebank/tree.ts';
import { allTrees } from '../../../support/random-trees.ts';

const system = new ArcEager(false);

/** Every configuration that transitions lead to, by what it is, and where each transition leads. */
interface State {
  readonly configuration: StackConfiguration;
  readonly next: Map<number, State>;
}

function everyState(length: number): State[] {
  const states = new Map<string, State>();
  const visit = (configuration: StackConfiguration): State => {
    const key = describeState(configuration, length);
    const known = states.get(key);
    if (known !== undefined) return known;
    const state: State = { configuration, next: new Map() };
    states.set(key, state);
    if (system.isComplete(configuration)) return state;
    for (const kind of system.kinds.filter((one) => system.permits(configuration, one))) {
      const after = system.create();
      after.copy(configuration);
      system.apply(after, kind, 0);
      state.next.set(kind, visit(after));
    }
    return state;
  };
  const start = system.create();
  system.start(start, length);
  visit(start);
  return [...states.values()];
}

function describeState(configuration: StackConfiguration, length: number): string {
  const upTo = (count: number, at: (i: number) => number) => Array.from({ length: count }, (_, i) => at(i));
  return [
    upTo(configuration.stackSize, (i) => configuration.stack(i)),
    upTo(configuration.bufferSize, (i) => configuration.buffer(i)),
    upTo(length, (i) => configuration.head(i + 1)),
  ].join(' | ');
}

/** The most gold arcs that any way from a state to the end builds, what is built already included. */
function mostArcs(state: State, heads: Int32Array, known: Map<State, number>): number {
  let most = known.get(state);
  if (most === undefined) {
    most = system.isComplete(state.configuration)
      ? heads.filter((h, d) => d > 0 && state.configuration.head(d) === h).length
      : Math.max(...[...state.next.values()].map((after) => mostArcs(after, heads, known)));
    known.set(state, most);
  }
  return most;
}

describe('the dynamic oracle of arc-eager', () => {
  test.each([1, 2, 3, 4])(
    'tells for each transition the gold arcs lost, in every configuration of %i tokens and for every projective tree',
    (length) => {
      const oracle = system.createDynamicOracle();
      const states = everyState(length);
      for (const heads of allTrees(length).filter(isProjective)) {
        const known = new Map<State, number>();
        oracle.start({ length, heads, labels: new Int32Array(length + 1) });
        for (const state of states) {
          const { configuration, next } = state;
          const before = mostArcs(state, heads, known);
          const expected = [...next].map(([kind, after]) => [kind, before - mostArcs(after, heads, known)]);
          const told = [...next.keys()].map((kind) => [kind, oracle.cost(configuration, kind)]);
          expect({ heads, state: describeState(configuration, length), costs: told }).toEqual({
            heads,
            state: describeState(configuration, length),
            costs: expected,
          });
        }
      }
    },
  );
});
