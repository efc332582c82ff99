import { StackConfiguration } from '../../parsers/transition/systems/stack-configuration.ts';
import {
  dependentOf,
  hasLabel,
  headOf,
  type TransitionSystem,
} from '../../parsers/transition/systems/system.ts';

/** A configuration and, as plain arrays, the tree built so far. */
export interface WalkedTree {
  readonly configuration: StackConfiguration;
  readonly heads: readonly number[];
  readonly labels: readonly number[];
  /** Children on one side (−1 left, 1 right), the outermost first. */
  children(token: number, side: -1 | 1): number[];
  /** The node that a name such as `s0` or `b1` stands for, or −1. */
  start(name: string): number;
  move(token: number, move: string): number;
  /** How far the ends of the next arc are apart, in the buckets of the features. */
  distance(): number;
}

/** Walks from the initial configuration to a complete one; `choices` selects among the permitted transitions. */
export function* randomWalk(
  system: TransitionSystem,
  length: number,
  choices: Iterator<number>,
): Generator<WalkedTree> {
  const configuration = new StackConfiguration();
  const heads = Array<number>(length + 1).fill(-1);
  const labels = Array<number>(length + 1).fill(0);
  const choose = (bound: number): number => choices.next().value % bound;
  system.start(configuration, length);
  while (!system.isComplete(configuration)) {
    yield walked(system, configuration, heads, labels);
    const permitted = system.actions.filter((action) => system.permits(configuration, action));
    const action = permitted[choose(permitted.length)]!;
    const label = choose(40);
    if (hasLabel(action)) {
      const dependent = dependentOf(system, configuration, action);
      heads[dependent] = headOf(system, configuration, action);
      labels[dependent] = label;
    }
    system.apply(configuration, action, label);
  }
}

function walked(
  system: TransitionSystem,
  configuration: StackConfiguration,
  heads: readonly number[],
  labels: readonly number[],
): WalkedTree {
  const children = (token: number, side: -1 | 1) => {
    const all = [...heads.keys()].filter((d) => heads[d] === token && Math.sign(d - token) === side);
    return side === -1 ? all : all.reverse();
  };
  const at = (name: string) =>
    name[0] === 's' ? configuration.stack(Number(name[1])) : configuration.buffer(Number(name[1]));
  const move = (token: number, way: string) => {
    if (token === -1) return -1;
    if (way === 'head') return heads[token]!;
    const side = way.startsWith('left') ? -1 : 1;
    return children(token, side)[way.endsWith('2') ? 1 : 0] ?? -1;
  };
  const distance = () => {
    const [left, right] = system.focus.names.map(at) as [number, number];
    if (left === -1 || right <= 0) return 0;
    const apart = right - left;
    return apart >= 10 ? 6 : Math.min(apart, 5);
  };
  return { configuration, heads, labels, children, start: at, move, distance };
}
