/** A tree's `heads[d]` is token d's head, 0 the root, −1 none; `heads[0]` = −1. Nothing here recurses. */

export function roots(heads: Int32Array): number[] {
  const found: number[] = [];
  for (let d = 1; d < heads.length; d++) if (heads[d] === 0) found.push(d);
  return found;
}

/** The first cycle on walks from token 1, 2, …: each token followed by its head, smallest first; or empty. */
export const findCycle = (heads: Int32Array): number[] => cyclesIn(heads).next().value ?? [];
export const findCycles = (heads: Int32Array): number[][] => [...cyclesIn(heads)];

function* cyclesIn(heads: Int32Array): Generator<number[], undefined> {
  // seenFrom[i] is the token from whose walk towards the root i was first met.
  const seenFrom = new Int32Array(heads.length);
  for (let start = 1; start < heads.length; start++) {
    let i = start;
    while (i > 0 && seenFrom[i] === 0) {
      seenFrom[i] = start;
      i = heads[i]!;
    }
    if (i > 0 && seenFrom[i] === start) yield cycleThrough(heads, i);
  }
}

function cycleThrough(heads: Int32Array, token: number): number[] {
  let smallest = token;
  for (let i = heads[token]!; i !== token; i = heads[i]!) if (i < smallest) smallest = i;
  const cycle = [smallest];
  for (let i = heads[smallest]!; i !== smallest; i = heads[i]!) cycle.push(i);
  return cycle;
}

/** Every token has a head and reaches the artificial root, which may have several dependents. */
export const isTree = (heads: Int32Array): boolean =>
  heads.indexOf(-1, 1) < 0 && findCycle(heads).length === 0;

/**
 * The dependents of non-projective arcs, in order. h → d is projective where h dominates every token strictly
 * between them (Kübler, McDonald & Nivre 2009, chapter 2); the artificial root dominates all. O(n) space;
 * time at most the sum, over all heads, of the longest arcs to either side. `heads` must be a tree; tokens
 * that do not reach the root are dominated only by the root.
 */
export function nonProjectiveArcs(heads: Int32Array): number[] {
  const { enter, leave } = preorder(heads);
  const size = heads.length;
  const isCrossed = new Uint8Array(size);
  // The nearest token on one side of each head that it is not known to dominate; its arcs come by length.
  const next = heads.map((_, h) => h + 1);
  const crosses = (h: number, d: number, step: 1 | -1): boolean => {
    let i = next[h]!;
    while (i !== d && enter[h]! <= enter[i]! && enter[i]! < leave[h]!) i += step;
    next[h] = i;
    return i !== d;
  };
  for (let d = 1; d < size; d++) {
    const h = heads[d]!;
    if (h > 0 && h < d && crosses(h, d, 1)) isCrossed[d] = 1;
  }
  for (let h = 1; h < size; h++) next[h] = h - 1;
  for (let d = size - 1; d > 0; d--) {
    const h = heads[d]!;
    if (h > d && crosses(h, d, -1)) isCrossed[d] = 1;
  }
  return [...isCrossed.keys()].filter((d) => isCrossed[d] === 1);
}

export const isProjective = (heads: Int32Array): boolean => nonProjectiveArcs(heads).length === 0;

/** Numbers tokens in preorder: h dominates i where enter[h] ≤ enter[i] < leave[h]. Unreached tokens: 0, 0. */
export function preorder(heads: Int32Array): { enter: Int32Array; leave: Int32Array } {
  const size = heads.length;
  const firstChild = new Int32Array(size);
  const nextSibling = new Int32Array(size);
  for (let d = size - 1; d > 0; d--) {
    const h = heads[d]!;
    if (h < 0) continue;
    nextSibling[d] = firstChild[h]!;
    firstChild[h] = d;
  }
  const enter = new Int32Array(size);
  const leave = new Int32Array(size);
  let clock = 1;
  let i = 0;
  for (;;) {
    enter[i] = clock++;
    if (firstChild[i] !== 0) {
      i = firstChild[i]!;
      continue;
    }
    leave[i] = clock;
    while (i !== 0 && nextSibling[i] === 0) {
      i = heads[i]!;
      leave[i] = clock;
    }
    if (i === 0) return { enter, leave };
    i = nextSibling[i]!;
  }
}

/**
 * Makes a tree projective in place (Nivre & Nilsson 2005, P05-1013, §2): while an arc is non-projective, the
 * shortest (of several, the first) is lifted to the head of its head. Labels stay. Returns the number of arcs
 * lifted, each counted once.
 *
 * @param onLift called for each step with the dependent and the head whose arc it is lifted over
 */
export function projectivize(heads: Int32Array, onLift?: (word: number, head: number) => void): number {
  const lifted = new Set<number>();
  for (;;) {
    const crossed = nonProjectiveArcs(heads);
    if (crossed.length === 0) return lifted.size;
    const length = (d: number) => Math.abs(heads[d] - d);
    const shortest = crossed.reduce((best, d) => (length(d) < length(best) ? d : best));
    onLift?.(shortest, heads[shortest]);
    heads[shortest] = heads[heads[shortest]];
    lifted.add(shortest);
  }
}

/** Tokens in breadth-first order from the root; those on or below a cycle are left out. */
export function headsFirst(heads: Int32Array): number[] {
  const dependents = Array.from(heads, (): number[] => []);
  for (let d = 1; d < heads.length; d++) dependents[Math.max(0, heads[d])].push(d);
  const order = [...dependents[0]];
  for (const h of order) for (const d of dependents[h]) order.push(d);
  return order;
}
