import { InputError } from '../../errors.ts';

/**
 * Where the stems of a tree's heads stand: a stem is a vertical line from a head's first dependent (or
 * itself) to its last.
 */
export interface Stems {
  /** Columns in use. */
  readonly columns: number;
  /** column[h] is the stem's column, from 0 at the left; −1 for a token without dependents. */
  readonly column: Int32Array;
  /** The rows (tokens) from which to which the stem goes. */
  readonly top: Int32Array;
  readonly bottom: Int32Array;
}

/**
 * Places the stems so that each is to the right of its head's, and no two in one column share a row. In a
 * projective tree the column is the depth. Throws `InputError` where the heads (as in `Sentence`; −1: none)
 * have a cycle.
 */
export function placeStems(heads: Int32Array, n: number): Stems {
  const { top, bottom } = stemRows(heads, n);
  const column = new Int32Array(n + 1).fill(-1);
  const taken: number[][] = [];
  for (const h of headsFirst(heads, n)) {
    if (top[h] === bottom[h]) continue;
    let c = heads[h]! > 0 ? column[heads[h]!]! + 1 : 0;
    while (taken[c]?.some((other) => top[h]! <= bottom[other]! && top[other]! <= bottom[h]!)) c++;
    taken[c] ??= [];
    taken[c].push(h);
    column[h] = c;
  }
  return { columns: taken.length, column, top, bottom };
}

function stemRows(heads: Int32Array, n: number) {
  const top = Int32Array.from({ length: n + 1 }, (_, token) => token);
  const bottom = top.slice();
  for (let d = 1; d <= n; d++) {
    const h = heads[d]!;
    if (h <= 0) continue;
    top[h] = Math.min(top[h]!, d);
    bottom[h] = Math.max(bottom[h]!, d);
  }
  return { top, bottom };
}

/**
 * The tokens by depth, so that each comes after its head; within a depth in no particular order but a fixed
 * one.
 */
function headsFirst(heads: Int32Array, n: number): number[] {
  const dependents = Array.from({ length: n + 1 }, (): number[] => []);
  for (let d = 1; d <= n; d++) dependents[Math.max(heads[d]!, 0)]!.push(d);
  const order = [...dependents[0]!];
  for (const h of order) for (const d of dependents[h]!) order.push(d);
  if (order.length < n) {
    const reached = new Set(order);
    const unreached = dependents.findIndex((_, token) => token > 0 && !reached.has(token));
    throw new InputError(`token ${unreached} hangs on a cycle, expected a tree to draw`);
  }
  return order;
}
