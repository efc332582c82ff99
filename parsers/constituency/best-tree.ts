import type { BinaryTree, GrowingTree } from './binarize.ts';
import type { Chart } from './chart.ts';
import type { Grammar } from './grammar.ts';
import type { WordStates } from './lexicon.ts';

/** One derivation step over words i…j − 1: a binary rule, or a tag over its word. */
interface Split {
  readonly score: number;
  /** Where the right child begins; −1 for a tag. */
  readonly k: number;
  readonly left: number;
  readonly right: number;
}

export interface StateSpan {
  readonly state: number;
  readonly i: number;
  readonly j: number;
}

export function treeOf(
  derivations: BestTree,
  { tables: { labels } }: Grammar,
  forms: readonly string[],
  { state: root, i, j }: StateSpan,
): BinaryTree {
  const nodeOf = (state: number): GrowingTree => ({ label: labels[state], form: undefined, children: [] });
  const tree = nodeOf(root);
  const pending = [{ node: tree, state: root, i, j }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { i: from, j: to } = next;
    const { chain, split } = derivations.expansion(next.state, from, to);
    let { node } = next;
    for (const state of chain) {
      const child = nodeOf(state);
      node.children.push(child);
      node = child;
    }
    if (split.k === -1) {
      node.form = forms[from];
      continue;
    }
    const [left, right] = [nodeOf(split.left), nodeOf(split.right)];
    node.children.push(left, right);
    pending.push({ node: left, state: split.left, i: from, j: split.k });
    pending.push({ node: right, state: split.right, i: split.k, j: to });
  }
  return tree;
}

function chainDown({ chainsByTop }: Grammar, top: number, end: number): number[] {
  const { starts, first: ends, second: above } = chainsByTop;
  const states: number[] = [];
  for (let state = end; state !== top; ) {
    states.unshift(state);
    let chain = starts[top];
    while (ends[chain] !== state) chain++;
    state = above[chain];
  }
  return states;
}

export class BestTree {
  constructor(
    private readonly chart: Chart,
    private readonly words: readonly WordStates[],
  ) {}

  expansion(state: number, i: number, j: number) {
    const { grammar, scores } = this.chart;
    const { starts, first: ends, scores: chainScores } = grammar.chainsByTop;
    const row = this.chart.row(i, j);
    let split = this.bestSplit(state, i, j);
    let best = split.score;
    let bestEnd = state;
    for (let chain = starts[state]; chain < starts[state + 1]; chain++) {
      const end = ends[chain];
      if (scores[row + end] + chainScores[chain] <= best) continue;
      const below = this.bestSplit(end, i, j);
      if (below.score + chainScores[chain] <= best) continue;
      best = below.score + chainScores[chain];
      bestEnd = end;
      split = below;
    }
    return { chain: chainDown(grammar, state, bestEnd), split };
  }

  private bestSplit(state: number, i: number, j: number): Split {
    if (j === i + 1) return this.asTag(state, i);
    const { grammar, scores } = this.chart;
    const { starts, first: lefts, second: rights, scores: ruleScores } = grammar.byParent;
    let best = { score: Number.NEGATIVE_INFINITY, k: -1, left: -1, right: -1 };
    for (let k = i + 1; k < j; k++) {
      const leftRow = this.chart.row(i, k);
      const rightRow = this.chart.row(k, j);
      for (let rule = starts[state]; rule < starts[state + 1]; rule++) {
        const score = scores[leftRow + lefts[rule]] + scores[rightRow + rights[rule]] + ruleScores[rule];
        if (score > best.score) best = { score, k, left: lefts[rule], right: rights[rule] };
      }
    }
    return best;
  }

  private asTag(state: number, i: number): Split {
    const { states, scores } = this.words[i];
    const at = states.indexOf(state);
    return { score: at === -1 ? Number.NEGATIVE_INFINITY : scores[at], k: -1, left: -1, right: -1 };
  }
}
