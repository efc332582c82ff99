import type { BinaryTree } from '../grammar/binarize.ts';
import type { WordStates } from '../lexicon/lexicon.ts';
import type { Chart } from './chart.ts';

/** A node under construction. */
interface Growing extends BinaryTree {
  form: string | undefined;
  readonly children: Growing[];
}

/** The best way to derive the words from i to j − 1 from a state: by a binary rule, or as a word's tag. */
export interface Split {
  readonly score: number;
  /** Where the right child begins; −1 for a tag. */
  readonly k: number;
  readonly left: number;
  readonly right: number;
}

/** Reads the most probable derivations out of a filled chart. */
export class BestTree {
  constructor(
    private readonly chart: Chart,
    private readonly words: readonly WordStates[],
    private readonly forms: readonly string[],
  ) {}

  /** The best derivation of the words from i to j − 1 from a state, which has one. */
  of(root: number, i: number, j: number): BinaryTree {
    const tree = this.node(root);
    const pending = [{ node: tree, state: root, i, j }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { i: from, j: to } = next;
      const { chain, split } = this.expansion(next.state, from, to);
      let { node } = next;
      for (const state of chain) {
        const child = this.node(state);
        node.children.push(child);
        node = child;
      }
      if (split.k === -1) {
        node.form = this.forms[from];
        continue;
      }
      const [left, right] = [this.node(split.left), this.node(split.right)];
      node.children.push(left, right);
      pending.push({ node: left, state: split.left, i: from, j: split.k });
      pending.push({ node: right, state: split.right, i: split.k, j: to });
    }
    return tree;
  }

  private node(state: number): Growing {
    return { label: this.chart.grammar.tables.labels[state], form: undefined, children: [] };
  }

  /** The states of the best unary chain below a state, perhaps none, and what is below them. */
  expansion(state: number, i: number, j: number): { chain: readonly number[]; split: Split } {
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
    return { chain: this.statesBelow(state, bestEnd), split };
  }

  /** The states of the chain from one state down to another, without the first. */
  private statesBelow(top: number, end: number): number[] {
    const { starts, first: ends, second: above } = this.chart.grammar.chainsByTop;
    const states: number[] = [];
    for (let state = end; state !== top; ) {
      states.unshift(state);
      let chain = starts[top];
      while (ends[chain] !== state) chain++;
      state = above[chain];
    }
    return states;
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
