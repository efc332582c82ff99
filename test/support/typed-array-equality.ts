import { expect } from 'vitest';

/**
 * Compares two typed arrays of one kind, where Vitest would take some 20 s for a million elements: element by element,
 * each by all its rules. NaN equals NaN, 0 does not equal −0, as in `toEqual`.
 */
function typedArrayEquality(a: unknown, b: unknown): boolean | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  if (a instanceof DataView) return undefined;
  const [left, right] = [a, b] as unknown as [ArrayLike<unknown>, ArrayLike<unknown>];
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (!Object.is(left[i], right[i])) return false;
  return true;
}

const added = Symbol.for('typed arrays compared');
const global = globalThis as { [added]?: boolean };
// Files of tests share processes, and each of them runs this module.
if (!global[added]) expect.addEqualityTesters([typedArrayEquality]);
global[added] = true;
