/**
 * Functions over dependency trees: `heads[d]` is the head of token d, 0 the artificial root, −1 none; `heads[0]` = −1.
 * None of them recurses, as sentences may have thousands of tokens.
 */

export function roots(heads: Int32Array): number[] {
  const found: number[] = [];
  for (let d = 1; d < heads.length; d++) if (heads[d] === 0) found.push(d);
  return found;
}

/** Finds the first cycle on walks from token 1, 2, …: its smallest token, then each token's head; or empty. */
export const findCycle = (heads: Int32Array): number[] => cyclesIn(heads).next().value ?? [];
export const findCycles = (heads: Int32Array): number[][] => [...cyclesIn(heads)];

function* cyclesIn(heads: Int32Array): Generator<number[], undefined> {
  // seenFrom[i] is the token whose walk towards the root reached i first.
  const seenFrom = new Int32Array(heads.length);
  for (let start = 1; start < heads.length; start++) {
    let i = start;
    while (i > 0 && seenFrom[i] === 0) {
      seenFrom[i] = start;
      i = heads[i];
    }
    if (i > 0 && seenFrom[i] === start) yield cycleThrough(heads, i);
  }
}

function cycleThrough(heads: Int32Array, token: number): number[] {
  let smallest = token;
  for (let i = heads[token]; i !== token; i = heads[i]) if (i < smallest) smallest = i;
  const cycle = [smallest];
  for (let i = heads[smallest]; i !== smallest; i = heads[i]) cycle.push(i);
  return cycle;
}

/** Whether every token has a head and reaches the artificial root, which may have several dependents. */
export const isTree = (heads: Int32Array): boolean =>
  heads.every((head, d) => d === 0 || (head >= 0 && head < heads.length)) && findCycle(heads).length === 0;

/**
 * Lists the dependents of non-projective arcs in ascending order. h → d is projective if h dominates every token strictly
 * between them (Kübler, McDonald & Nivre 2009, chapter 2); the artificial root dominates all. O(n) space;
 * time at most the sum, over all heads, of the longest arcs to either side. `heads` must be a tree; tokens
 * that do not reach the root are dominated only by the root.
 */
export function nonProjectiveArcs(heads: Int32Array): number[] {
  const { enter, leave } = preorder(heads);
  const size = heads.length;
  const isCrossed = new Uint8Array(size);
  // For each head, the nearest token on one side that it is not known to dominate; its arcs come by rising length.
  const next = heads.map((_, h) => h + 1);
  const crosses = (h: number, d: number, step: 1 | -1): boolean => {
    let i = next[h];
    while (i !== d && enter[h] <= enter[i] && enter[i] < leave[h]) i += step;
    next[h] = i;
    return i !== d;
  };
  for (let d = 1; d < size; d++) {
    const h = heads[d];
    if (h > 0 && h < d && crosses(h, d, 1)) isCrossed[d] = 1;
  }
  for (let h = 1; h < size; h++) next[h] = h - 1;
  for (let d = size - 1; d > 0; d--) {
    const h = heads[d];
    if (h > d && crosses(h, d, -1)) isCrossed[d] = 1;
  }
  return [...isCrossed.keys()].filter((d) => isCrossed[d] === 1);
}

/** Whether no arcs cross; takes also heads in other arrays, such as the strings of a column. */
export const isProjective = (heads: ArrayLike<number>): boolean =>
  nonProjectiveArcs(Int32Array.from(heads)).length === 0;

/** Numbers tokens in preorder: h dominates i if enter[h] ≤ enter[i] < leave[h]. Unreachable tokens have 0 and 0. */
export function preorder(heads: Int32Array): { enter: Int32Array; leave: Int32Array } {
  // Without heads there is still the root.
  const size = Math.max(heads.length, 1);
  const firstChild = new Int32Array(size);
  const nextSibling = new Int32Array(size);
  for (let d = size - 1; d > 0; d--) {
    const h = heads[d];
    if (h < 0) continue;
    nextSibling[d] = firstChild[h];
    firstChild[h] = d;
  }
  const enter = new Int32Array(size);
  const leave = new Int32Array(size);
  let clock = 1;
  let i = 0;
  for (;;) {
    enter[i] = clock++;
    if (firstChild[i] !== 0) {
      i = firstChild[i];
      continue;
    }
    leave[i] = clock;
    while (i !== 0 && nextSibling[i] === 0) {
      i = heads[i];
      leave[i] = clock;
    }
    if (i === 0) return { enter, leave };
    i = nextSibling[i];
  }
}

/**
 * Makes a tree projective in place (Nivre & Nilsson 2005, P05-1013, §2): as long as there are non-projective
 * arcs, lifts the shortest (of several, the first) to the head of its head. Returns the number of lifted arcs.
 *
 * @param onLift called at each step with the dependent and its head before the step
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

/** The dependents of each token and of the root, in ascending order; tokens without a head count as roots. */
export function dependentsOf(heads: Int32Array, n = heads.length - 1): number[][] {
  const dependents = Array.from({ length: n + 1 }, (): number[] => []);
  for (let d = 1; d <= n; d++) dependents[Math.max(0, heads[d])].push(d);
  return dependents;
}

/** Orders tokens breadth first from the root; those on or below a cycle are left out. */
export function headsFirst(heads: Int32Array, dependents = dependentsOf(heads)): number[] {
  const order = [...dependents[0]];
  for (const h of order) for (const d of dependents[h]) order.push(d);
  return order;
}
