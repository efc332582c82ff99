import type { DecoderOptions } from '../decode/decoder.ts';
import { dependentsOf, headsFirst } from '../treebank/tree.ts';
import type { ChuLiuEdmondsTrace, EisnerSpans } from './matrix.ts';

type TracedSearch = Pick<ChuLiuEdmondsTrace, 'rounds' | 'openings'> & { readonly heads: Int32Array };
type TracedArc = TracedSearch['openings'][number]['drops'];

/**
 * Records the steps of the textbook algorithm of Chu & Liu (1965) and Edmonds (1967), for explanations: every token
 * takes its best head, and cycles are contracted until there are none; then they are expanded, the last one first.
 * Several times slower than the decoder (decode/chu-liu-edmonds.ts), with the same result unless the decoder demands a
 * single root and this tree has several. Scores are as in `Decoder`.
 * @param tree the decoder's tree, preferred among trees with equal scores
 */
export function traceChuLiuEdmonds(scores: Float32Array, n: number, tree: Int32Array): TracedSearch {
  return new Contraction(scores, n, tree).solve();
}

/** A token, or a contracted cycle with its members and their arcs along it. */
interface Node {
  readonly tokens: number[];
  readonly members: readonly Choice[];
  /** For a cycle, by token: the score of an arc into the token that would leave the total unchanged. */
  readonly counted: ReadonlyMap<number, number>;
}

type Choice = { readonly node: Node; readonly arc: TracedArc; readonly value: Value };
/** An arc's value, compared number by number: score, then agreement with `tree`. */
type Value = readonly [score: number, isInTree: number];

class Contraction {
  /** By token: the value of the arcs into it that contracted cycles already contain. */
  private readonly counted: Value[];
  private nodeOf: Node[];

  constructor(
    private readonly scores: Float32Array,
    private readonly n: number,
    private readonly tree: Int32Array,
  ) {
    this.counted = Array.from({ length: n + 1 }, () => [0, 0]);
    this.nodeOf = Array.from({ length: n + 1 }, (_, token) => ({
      tokens: [token],
      members: [],
      counted: new Map(),
    }));
  }

  solve(): TracedSearch {
    const rounds: TracedSearch['rounds'] = [];
    for (;;) {
      const choices = [...new Set(this.nodeOf.slice(1))].map((node) => this.bestInto(node));
      const cycles = this.cyclesOf(choices);
      rounds.push({
        choices: choices.map(({ node, arc, value }) => ({ tokens: node.tokens, arc, gain: value[0] })),
        cycles: cycles.map((cycle) => tokensOf(cycle)),
      });
      if (cycles.length === 0) {
        const { heads, openings } = this.opened(choices);
        return { rounds, openings, heads };
      }
      for (const cycle of cycles) this.contract(cycle);
    }
  }

  private bestInto(node: Node): Choice {
    let best: Choice | undefined;
    for (const d of node.tokens) {
      const [counted, isInTree] = this.counted[d];
      for (let h = 0; h <= this.n; h++) {
        if (this.nodeOf[h] === node) continue;
        const score = this.scores[h * (this.n + 1) + d] - counted;
        const value: Value = [score, (this.tree[d] === h ? 1 : 0) - isInTree];
        if (best === undefined || isAbove(value, best.value))
          best = { node, arc: { head: h, dependent: d }, value };
      }
    }
    return best!;
  }

  /** The cycles of the choices, each from dependents to heads. */
  private cyclesOf(choices: readonly Choice[]): Choice[][] {
    const choiceOf = new Map(choices.map((choice) => [choice.node, choice]));
    const seenBy = new Map<Choice, Choice>();
    const cycles: Choice[][] = [];
    for (const start of choices) {
      const path: Choice[] = [];
      let at: Choice | undefined = start;
      while (at !== undefined && !seenBy.has(at)) {
        seenBy.set(at, start);
        path.push(at);
        at = choiceOf.get(this.nodeOf[at.arc.head]);
      }
      if (at !== undefined && seenBy.get(at) === start) cycles.push(path.slice(path.indexOf(at)));
    }
    return cycles;
  }

  private contract(cycle: readonly Choice[]): void {
    for (const { node: member, value } of cycle) {
      for (const token of member.tokens) {
        const [score, isInTree] = this.counted[token];
        this.counted[token] = [score + value[0], isInTree + value[1]];
      }
    }
    const tokens = tokensOf(cycle);
    const counted = new Map(tokens.map((token) => [token, this.counted[token][0]]));
    const node: Node = { tokens, members: cycle, counted };
    for (const token of tokens) this.nodeOf[token] = node;
  }

  /** Expands contracted nodes: the arc into a node replaces the arc of the member that it enters. */
  private opened(choices: readonly Choice[]): { heads: Int32Array; openings: TracedSearch['openings'] } {
    const heads = new Int32Array(this.n + 1).fill(-1);
    const openings: TracedSearch['openings'] = [];
    const pending = [...choices];
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const { node, arc } = next;
      if (node.members.length === 0) {
        heads[arc.dependent] = arc.head;
        continue;
      }
      for (const member of node.members) {
        const isEntered = member.node.tokens.includes(arc.dependent);
        pending.push(isEntered ? { ...member, arc } : member);
        if (!isEntered) continue;
        const cost = node.counted.get(arc.dependent)! - this.scores[arc.head * (this.n + 1) + arc.dependent];
        openings.push({ cycle: node.tokens, enters: arc, drops: member.arc, cost });
      }
    }
    return { heads, openings };
  }
}

function isAbove(a: Value, b: Value): boolean {
  const at = a.findIndex((number, i) => number !== b[i]);
  return at !== -1 && a[at] > b[at];
}

function tokensOf(cycle: readonly Choice[]): number[] {
  return cycle.flatMap(({ node }) => node.tokens).sort((a, b) => a - b);
}

type TreeSpan = EisnerSpans['spans'][number];

/**
 * Lists the spans of a projective tree (Eisner 1996, C96-1058), the shortest first: for each arc, its incomplete span and
 * the complete span that results. With a single root, the arc from the root has none. Scores are as in `Decoder`.
 */
export function spansOfTree(
  scores: Float32Array,
  n: number,
  { singleRoot }: DecoderOptions,
  heads: Int32Array,
): TreeSpan[] {
  const dependents = dependentsOf(heads);
  /** By side (left, right) and token: the score and the end of the token's complete span. */
  const sums = [new Float64Array(n + 1), new Float64Array(n + 1)];
  const ends = [Int32Array.from(heads.keys()), Int32Array.from(heads.keys())];
  const spans: TreeSpan[] = [];
  for (const h of [0, ...headsFirst(heads, dependents)].reverse()) {
    for (const side of [0, 1]) {
      const onSide = dependents[h].filter((d) => (side === 1 ? d > h : d < h));
      for (const d of side === 1 ? onSide : onSide.reverse()) {
        const inner = sums[side][h] + sums[1 - side][d] + scores[h * (n + 1) + d];
        ends[side][h] = ends[side][d];
        sums[side][h] = inner + sums[side][d];
        if (h === 0 && singleRoot) continue;
        spans.push({ head: h, end: d, isComplete: false, score: inner });
        spans.push({ head: h, end: ends[side][h], isComplete: true, score: sums[side][h] });
      }
    }
  }
  // Of two spans of the same length, the incomplete one is part of the other.
  return spans.sort((a, b) => lengthOf(a) - lengthOf(b) || Number(a.isComplete) - Number(b.isComplete));
}

const lengthOf = ({ head, end }: TreeSpan): number => Math.abs(head - end);
