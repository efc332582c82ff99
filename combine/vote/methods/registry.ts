import type { MethodName } from '../names.ts';
import type { Method } from './method.ts';
import { createReparseCle } from './reparse-cle.ts';
import { createReparseEisner } from './reparse-eisner.ts';
import { createSuperparser } from './superparser.ts';

/** The methods by name. */
export const methods = {
  superparser: createSuperparser,
  'reparse-cle': createReparseCle,
  'reparse-eisner': createReparseEisner,
} as const satisfies Record<MethodName, () => Method>;

/** What is done where nothing is asked for. */
export const DEFAULT_METHOD = 'reparse-cle';
