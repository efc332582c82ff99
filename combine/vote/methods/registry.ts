import type { Method } from './method.ts';
import { createReparseCle } from './reparse-cle.ts';
import { createReparseEisner } from './reparse-eisner.ts';
import { createSuperparser } from './superparser.ts';

/** The methods by name; adding one is adding a line. */
export const methods = {
  superparser: createSuperparser,
  'reparse-cle': createReparseCle,
  'reparse-eisner': createReparseEisner,
} as const satisfies Record<string, () => Method>;

/** What is done where nothing is asked for. */
export const DEFAULT_METHOD = 'reparse-cle';

export type MethodName = keyof typeof methods;
export const methodNames = Object.keys(methods) as readonly MethodName[];
