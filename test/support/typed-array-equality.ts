import { expect } from 'vitest';

/**
 * Compares two typed arrays of the same kind quickly; Vitest applies all its rules to each element, which takes some
 * 20 s for a million. As in `toEqual`, NaN equals NaN and 0 does not equal −0.
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
// Test files share processes, and each of them runs this module, so the tester is added only once.
if (!global[added]) expect.addEqualityTesters([typedArrayEquality]);
global[added] = true;
