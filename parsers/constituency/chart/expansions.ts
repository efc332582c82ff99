import type { BinaryTree } from '../grammar/binarize.ts';
import type { Grammar } from '../grammar/grammar.ts';

/** A way to derive the words from i to j − 1 from a state: by a binary rule, or as a word's tag. */
export interface Split {
  readonly score: number;
  /** Where the right child begins; −1 for a tag. */
  readonly k: number;
  readonly left: number;
  readonly right: number;
}

/** How a state becomes words: by a chain of unary rules, perhaps none, and what is below that. */
export interface Expansion {
  /** The states of the chain, without the first. */
  readonly chain: readonly number[];
  readonly split: Split;
}

/** A derivation: what each state in it, over the words from i to j − 1, becomes. */
export interface Expansions {
  expansion(state: number, i: number, j: number): Expansion;
}

/** A state over the words from i to j − 1. */
export interface Part {
  readonly state: number;
  readonly i: number;
  readonly j: number;
}

/** A node under construction. */
interface Growing extends BinaryTree {
  form: string | undefined;
  readonly children: Growing[];
}

/** The tree of a derivation. */
export function treeOf(
  expansions: Expansions,
  { tables: { labels } }: Grammar,
  forms: readonly string[],
  { state: root, i, j }: Part,
): BinaryTree {
  const nodeOf = (state: number): Growing => ({ label: labels[state], form: undefined, children: [] });
  const tree = nodeOf(root);
  const pending = [{ node: tree, state: root, i, j }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { i: from, j: to } = next;
    const { chain, split } = expansions.expansion(next.state, from, to);
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

/** The states of the chain from one state down to another, without the first. */
export function chainDown({ chainsByTop }: Grammar, top: number, end: number): number[] {
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
