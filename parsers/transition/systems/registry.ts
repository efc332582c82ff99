import { ArcEager } from './arc-eager.ts';
import { ArcStandard } from './arc-standard.ts';
import { ArcSwap } from './arc-swap.ts';
import type { TransitionSystem } from './system.ts';

/** The systems of stack and buffer; `singleRoot`: exactly one token hangs on the artificial root. */
export const stackSystems = {
  'arc-standard': (singleRoot: boolean) => new ArcStandard(singleRoot),
  'arc-eager': (singleRoot: boolean) => new ArcEager(singleRoot),
  'arc-swap': (singleRoot: boolean) => new ArcSwap(singleRoot),
} satisfies Record<string, (singleRoot: boolean) => TransitionSystem>;

export type StackSystemName = keyof typeof stackSystems;
export const stackSystemNames = Object.keys(stackSystems) as [StackSystemName, ...StackSystemName[]];

/** The systems that can be learnt from configurations with mistakes, too. */
export const systemsWithDynamicOracle: readonly string[] = Object.entries(stackSystems)
  .filter(([, system]) => 'createDynamicOracle' in system(true))
  .map(([name]) => name);
