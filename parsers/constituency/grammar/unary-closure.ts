import { indexRules, type Rules } from './rules.ts';

/**
 * For every two states the most probable chain of unary rules from one down to the other, where there is one.
 *
 * @param unary rules of a single child (their third column is not read)
 * @returns a rule for each chain: its top, its end, and the state right above the end, by which the whole
 *   chain can be followed up. Chains from a state to itself, which are never of use, are left out
 */
export function unaryClosure(unary: Rules, stateCount: number): Rules {
  const { starts, first: children, scores } = indexRules(unary, stateCount, 0, 1, 2);
  const states: number[] = [];
  const chainScores: number[] = [];
  for (let top = 0; top < stateCount; top++) {
    if (starts[top] === starts[top + 1]) continue;
    for (const [end, { score, above }] of chainsFrom(top)) {
      if (end === top) continue;
      states.push(top, end, above);
      chainScores.push(score);
    }
  }
  return { states: Int32Array.from(states), scores: Float32Array.from(chainScores) };

  /** Dijkstra's algorithm: no chain becomes more probable by being longer. */
  function chainsFrom(top: number): Map<number, Chain> {
    const best = new Map<number, Chain>([[top, { score: 0, above: top }]]);
    const open = new Set([top]);
    while (open.size > 0) {
      let end = -1;
      for (const state of open) if (end === -1 || best.get(state)!.score > best.get(end)!.score) end = state;
      open.delete(end);
      for (let rule = starts[end]; rule < starts[end + 1]; rule++) {
        const score = best.get(end)!.score + scores[rule];
        const child = children[rule];
        const known = best.get(child);
        if (known !== undefined && known.score >= score) continue;
        best.set(child, { score, above: end });
        open.add(child);
      }
    }
    return best;
  }
}

interface Chain {
  readonly score: number;
  readonly above: number;
}
