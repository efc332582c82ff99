/**
 * What a transition does to a configuration; every system has some of these actions. LEFT and RIGHT make an
 * arc between a pair of nodes (node-pair.ts). In all systems they mean what they do in Nivre (2008):
 * LEFT makes an arc that points to the left, so that the left one of the pair becomes the dependent; RIGHT
 * makes the right one the dependent.
 */
export const SHIFT = 0;
export const LEFT = 1;
export const RIGHT = 2;
export const REDUCE = 3;
export const SWAP = 4;
export const UNSHIFT = 5;
/** One more than the largest action. */
export const ACTIONS = 6;

/** What they are called, by number. */
export const actionNames = ['SHIFT', 'LEFT', 'RIGHT', 'REDUCE', 'SWAP', 'UNSHIFT'] as const;

/** Whether transitions with an action make an arc, and so have a label. */
export function hasLabel(action: number): boolean {
  return action === LEFT || action === RIGHT;
}
