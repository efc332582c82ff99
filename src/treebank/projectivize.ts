import { nonProjectiveArcs } from './tree.ts';

/**
 * Makes a tree projective in place (Nivre & Nilsson 2005, P05-1013, §2): as long as an arc is non-projective,
 * the shortest such arc (of equally short ones the first) is lifted to the head of its head. Labels stay.
 * Returns how many arcs were lifted, counting an arc lifted twice as one.
 *
 * @param onLift is told each step: which word's arc is lifted over that of its head
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
