/** Rules of one arity as columns of numbers, a row a rule. */
export interface Rules {
  /**
   * [3 · rule + column]. A binary rule: parent, left child, right child. A unary one, or a chain of several:
   * topmost parent, lowest child, and the state right above that child.
   */
  readonly states: Int32Array;
  /** Log probability of each rule. */
  readonly scores: Float32Array;
}

export type Column = 0 | 1 | 2;

/** Rules in the order of one column, so that those of a state stand together. */
export interface RuleIndex {
  /** The rules of a state are those from starts[state] to starts[state + 1] − 1. */
  readonly starts: Int32Array;
  /** Of every rule, one of its other columns, and the other. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly scores: Float32Array;
}

/** Sorts rules by a column; those with the same state there stay in their order. */
export function indexRules(
  { states, scores }: Rules,
  stateCount: number,
  by: Column,
  first: Column,
  second: Column,
): RuleIndex {
  const starts = new Int32Array(stateCount + 1);
  for (let rule = 0; rule < scores.length; rule++) starts[states[3 * rule + by] + 1]++;
  for (let state = 0; state < stateCount; state++) starts[state + 1] += starts[state];
  const next = starts.slice();
  const order = new Int32Array(scores.length);
  for (let rule = 0; rule < scores.length; rule++) order[next[states[3 * rule + by]]++] = rule;
  return {
    starts,
    first: order.map((rule) => states[3 * rule + first]),
    second: order.map((rule) => states[3 * rule + second]),
    scores: Float32Array.from(order, (rule) => scores[rule]),
  };
}
