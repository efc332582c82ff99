import { ArcEager } from './arc-eager.ts';
import { ArcStandard, ArcSwap } from './arc-standard.ts';
import type { TransitionSystem } from './system.ts';

/** The transition systems by name; `singleRoot`: whether exactly one token depends on the artificial root. */
export const stackSystems = {
  'arc-standard': (singleRoot: boolean) => new ArcStandard(singleRoot),
  'arc-eager': (singleRoot: boolean) => new ArcEager(singleRoot),
  'arc-swap': (singleRoot: boolean) => new ArcSwap(singleRoot),
} satisfies Record<string, (singleRoot: boolean) => TransitionSystem>;

export type StackSystemName = keyof typeof stackSystems;
export const stackSystemNames = Object.keys(stackSystems) as [StackSystemName, ...StackSystemName[]];

export const nonProjectiveSystems: readonly string[] = stackSystemNames.filter(
  (name) => !stackSystems[name](true).isProjective,
);

export const systemsWithDynamicOracle: readonly string[] = Object.entries(stackSystems)
  .filter(([, system]) => 'createDynamicOracle' in system(true))
  .map(([name]) => name);
