import type { Method, MethodName } from './method.ts';
import { createReparseCle, createReparseEisner } from './reparse.ts';
import { createSuperparser } from './superparser.ts';

/** The methods by name; adding one is adding a line. */
export const methods: Readonly<Record<MethodName, () => Method>> = {
  superparser: createSuperparser,
  'reparse-cle': createReparseCle,
  'reparse-eisner': createReparseEisner,
};
