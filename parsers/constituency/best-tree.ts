import { type Hyperedge, LazyKBest } from '../../src/decode/lazy-k-best.ts';
import type { BinaryTree, GrowingTree } from './binarize.ts';
import type { Chart } from './chart.ts';
import type { Grammar } from './grammar.ts';
import type { WordStates } from './lexicon.ts';

/** The top of a derivation over words i…j − 1: a binary rule, or a tag over its word. */
interface Split {
  readonly score: number;
  /** Where the right child begins; −1 for a tag. */
  readonly k: number;
  readonly left: number;
  readonly right: number;
}

export type StateSpan = { readonly state: number; readonly i: number; readonly j: number };

/** How a state over words i…j − 1 is expanded: the states of the unary chain below it, then a binary rule or a tag. */
interface Expansion {
  readonly chain: readonly number[];
  readonly split: Split;
  /** The ranks of the children's derivations; absent: the best. */
  readonly ranks?: readonly number[] | undefined;
}

/**
 * Builds a tree from its derivation.
 * @param rank rank of the derivation, 0 for the best
 */
export function treeOf(
  derivations: { expansion(state: number, i: number, j: number, rank: number): Expansion },
  { tables: { labels } }: Grammar,
  forms: readonly string[],
  { state: root, i, j }: StateSpan,
  rank = 0,
): BinaryTree {
  const nodeOf = (state: number): GrowingTree => ({ label: labels[state], form: undefined, children: [] });
  const tree = nodeOf(root);
  const pending = [{ node: tree, state: root, i, j, rank }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { i: from, j: to } = next;
    const { chain, split, ranks = [0, 0] } = derivations.expansion(next.state, from, to, next.rank);
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
    pending.push({ node: left, state: split.left, i: from, j: split.k, rank: ranks[0] });
    pending.push({ node: right, state: split.right, i: split.k, j: to, rank: ranks[1] });
  }
  return tree;
}

/** Returns the states of the most probable unary chain below `top`, down to `end`. */
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

/** The best derivation in a filled chart. */
export class BestTree {
  constructor(
    private readonly chart: Chart,
    private readonly words: readonly WordStates[],
  ) {}

  expansion(state: number, i: number, j: number): Expansion {
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
    if (j === i + 1) return tagOf(this.words[i], state);
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
}

/** A state as a tag over its word. */
function tagOf({ states, scores }: WordStates, state: number): Split {
  const at = states.indexOf(state);
  return { score: at === -1 ? Number.NEGATIVE_INFINITY : scores[at], k: -1, left: -1, right: -1 };
}

/** From a state to the end of a unary chain (of no rules: itself), or a binary rule or a tag. */
interface TreeEdge extends Hyperedge {
  readonly end: number;
  readonly split?: Split | undefined;
}

/** The k best derivations in a filled chart. Their nodes are the states of spans, above and below unary chains. */
export class BestTrees {
  private readonly kBest: LazyKBest<TreeEdge>;

  constructor(
    private readonly chart: Chart,
    private readonly words: readonly WordStates[],
    k: number,
  ) {
    this.kBest = new LazyKBest(k, (node) => this.edgesInto(node));
  }

  /** The log probability of the derivation of this rank; undefined if there are fewer. */
  scoreOf({ state, i, j }: StateSpan, rank: number): number | undefined {
    return this.kBest.at(this.nodeOf(state, i, j), rank)?.score;
  }

  expansion(state: number, i: number, j: number, rank: number): Expansion {
    const { edge, ranks } = this.kBest.at(this.nodeOf(state, i, j), rank)!;
    const below = this.kBest.at(edge.children[0], ranks[0])!;
    return {
      chain: chainDown(this.chart.grammar, state, edge.end),
      split: below.edge.split!,
      ranks: below.ranks,
    };
  }

  private nodeOf(state: number, i: number, j: number, isBelowChain = false): number {
    return 2 * (this.chart.row(i, j) + state) + Number(isBelowChain);
  }

  private edgesInto(node: number): TreeEdge[] {
    const { grammar } = this.chart;
    const at = Math.floor(node / 2);
    const state = at % grammar.size;
    const { i, j } = this.chart.spanAt(at);
    if (node % 2 === 1) return this.splits(state, i, j);
    const { starts, first: ends, scores } = grammar.chainsByTop;
    const edges: TreeEdge[] = [];
    const add = (end: number, score: number) => {
      const child = this.nodeOf(end, i, j, true);
      const below = this.kBest.at(child, 0);
      if (below !== undefined) edges.push({ end, score: score + below.score, children: [child] });
    };
    add(state, 0);
    for (let chain = starts[state]; chain < starts[state + 1]; chain++) add(ends[chain], scores[chain]);
    return edges;
  }

  private splits(state: number, i: number, j: number): TreeEdge[] {
    const { grammar, scores } = this.chart;
    const { starts, first: lefts, second: rights, scores: ruleScores } = grammar.byParent;
    const edges: TreeEdge[] = [];
    const add = (split: Split, children: readonly number[]) => {
      if (split.score > Number.NEGATIVE_INFINITY)
        edges.push({ end: state, score: split.score, children, split });
    };
    if (j === i + 1) add(tagOf(this.words[i], state), []);
    for (let k = i + 1; k < j; k++) {
      const [leftRow, rightRow] = [this.chart.row(i, k), this.chart.row(k, j)];
      for (let rule = starts[state]; rule < starts[state + 1]; rule++) {
        const [left, right] = [lefts[rule], rights[rule]];
        const score = scores[leftRow + left] + scores[rightRow + right] + ruleScores[rule];
        add({ score, k, left, right }, [this.nodeOf(left, i, k), this.nodeOf(right, k, j)]);
      }
    }
    return edges;
  }
}
