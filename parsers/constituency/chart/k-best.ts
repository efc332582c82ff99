import type { WordStates } from '../lexicon/lexicon.ts';
import type { Chart } from './chart.ts';
import { chainDown, type Expansion, type Expansions, type Part, type Split } from './expansions.ts';

/** Ways that are worse than the best of their words and state by more than this, as natural logarithm, are not looked at. */
const WIDTH = 12;

/** One rule, and what is below it: what of these is the best makes its best way. */
interface Edge {
  /** No way by it scores more. */
  readonly bound: number;
  /** Of the rule alone. */
  readonly score: number;
  readonly below: readonly Part[];
}

/** A derivation of some words from a state. */
interface Way {
  readonly score: number;
  readonly edge: Edge;
  /** How many ways of each part below are better than those it is made of, and these. */
  readonly ranks: readonly number[];
  readonly parts: readonly Way[];
}

/** A way that is still to be found: by an edge, from ways below of these ranks. */
type Wanted = Pick<Way, 'edge' | 'ranks'>;

/** The ways of each part below an edge. */
type Below = (part: Part) => RankedWays;

/** A way that others wait for. */
interface Need {
  readonly ways: RankedWays;
  readonly rank: number;
}

/** The ways to derive some words from a state, the best first, found one after the other as they are asked for. */
class RankedWays {
  private readonly found: Way[] = [];
  /** Those that the next is among. */
  private readonly open: Way[] = [];
  private readonly wanted: Wanted[] = [];
  private opened = 0;
  private isExhausted = false;

  /** @param edges those with the highest bounds first */
  constructor(
    private readonly edges: readonly Edge[],
    private readonly below: Below,
  ) {}

  /** The way of a rank, from 0; undefined where there are not so many. */
  at(rank: number): Way | undefined {
    // Trees may be as deep as sentences are long: too deep for a call within a call.
    const needs: Need[] = [{ ways: this, rank }];
    for (let need = needs.at(-1); need !== undefined; need = needs.at(-1)) {
      const first = need.ways.advance(need.rank);
      if (first === undefined) needs.pop();
      else needs.push(first);
    }
    return this.found[rank];
  }

  /** Goes on to the way of a rank; gives what has to be found before, if that is so. */
  private advance(rank: number): Need | undefined {
    while (!this.isKnown(rank)) {
      const need = this.settle();
      if (need !== undefined) return need;
      if (this.openEdge()) continue;
      const best = this.takeBest();
      if (best === undefined) {
        this.isExhausted = true;
        return undefined;
      }
      this.found.push(best);
      this.wantNext(best);
    }
    return undefined;
  }

  /** Whether it has been found, or is known not to be there. */
  private isKnown(rank: number): boolean {
    return this.found.length > rank || this.isExhausted;
  }

  /** Opens what is wanted. */
  private settle(): Need | undefined {
    const { wanted } = this;
    for (let next = wanted.at(-1); next !== undefined; next = wanted.at(-1)) {
      const need = this.offer(next);
      if (need !== undefined) return need;
      wanted.pop();
    }
    return undefined;
  }

  private offer({ edge, ranks }: Wanted): Need | undefined {
    const parts: Way[] = [];
    let { score } = edge;
    for (const [p, part] of edge.below.entries()) {
      const ways = this.below(part);
      if (!ways.isKnown(ranks[p])) return { ways, rank: ranks[p] };
      const way = ways.found[ranks[p]];
      if (way === undefined) return undefined;
      parts.push(way);
      score += way.score;
    }
    this.open.push({ score, edge, ranks, parts });
    return undefined;
  }

  /** Wants the best way by one edge more, if that may be better than those that are open. */
  private openEdge(): boolean {
    const best = this.open.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY);
    const edge = this.edges.at(this.opened);
    if (edge === undefined || edge.bound <= best) return false;
    this.wanted.push({ edge, ranks: edge.below.map(() => 0) });
    this.opened++;
    return true;
  }

  /** Wants the ways after one by the same edge: each is after one way only. */
  private wantNext({ edge, ranks }: Way): void {
    for (let part = 0; part < ranks.length; part++) {
      this.wanted.push({ edge, ranks: ranks.map((rank, p) => (p === part ? rank + 1 : rank)) });
      if (ranks[part] > 0) return;
    }
  }

  private takeBest(): Way | undefined {
    const { open } = this;
    let best = 0;
    for (let x = 1; x < open.length; x++) if (open[x].score > open[best].score) best = x;
    return open.splice(best, 1)[0];
  }
}

/** One of the best derivations. */
export class Derivation implements Expansions {
  private readonly expansions = new Map<number, Expansion>();

  constructor(
    private readonly chart: Chart,
    readonly score: number,
  ) {}

  expansion(state: number, i: number, j: number): Expansion {
    return this.expansions.get(this.key(state, i, j))!;
  }

  add({ state, i, j }: Part, expansion: Expansion): void {
    this.expansions.set(this.key(state, i, j), expansion);
  }

  private key(state: number, i: number, j: number): number {
    return this.chart.row(i, j) + state;
  }
}

/**
 * Reads the best derivations out of a filled chart, in the order of their probability (Huang & Chiang 2005, “Better k-best
 * parsing”, algorithm 3). A state has two lists of ways for the same words: without a chain of unary rules at its top, and
 * with one or none.
 */
export class KBest {
  private readonly plain = new Map<number, RankedWays>();
  private readonly chained = new Map<number, RankedWays>();

  constructor(
    private readonly chart: Chart,
    private readonly words: readonly WordStates[],
  ) {}

  /** The derivation of a rank, from 0; undefined where there are not so many. */
  derivation(root: Part, rank: number): Derivation | undefined {
    const way = this.withChains(root).at(rank);
    if (way === undefined) return undefined;
    const derivation = new Derivation(this.chart, way.score);
    const pending: { readonly part: Part; readonly way: Way }[] = [{ part: root, way }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { part, way } = next;
      const [below] = way.parts;
      const end = way.edge.below[0].state;
      const [left, right] = below.edge.below;
      const split: Split =
        left === undefined
          ? { score: below.score, k: -1, left: -1, right: -1 }
          : { score: below.score, k: left.j, left: left.state, right: right.state };
      derivation.add(part, { chain: chainDown(this.chart.grammar, part.state, end), split });
      for (const [p, child] of below.edge.below.entries()) pending.push({ part: child, way: below.parts[p] });
    }
    return derivation;
  }

  private readonly withChains: Below = (part) => {
    const key = this.key(part);
    const known = this.chained.get(key);
    if (known !== undefined) return known;
    const ways = new RankedWays(this.chainEdges(part), this.withoutChains);
    this.chained.set(key, ways);
    return ways;
  };

  private readonly withoutChains: Below = (part) => {
    const key = this.key(part);
    const known = this.plain.get(key);
    if (known !== undefined) return known;
    const { i, j } = part;
    const edges = j === i + 1 ? this.tagEdges(part) : this.pairEdges(part);
    const ways = new RankedWays(edges, this.withChains);
    this.plain.set(key, ways);
    return ways;
  };

  private key({ state, i, j }: Part): number {
    return this.chart.row(i, j) + state;
  }

  private chainEdges({ state, i, j }: Part): Edge[] {
    const { grammar, scores } = this.chart;
    const { starts, first: ends, scores: chainScores } = grammar.chainsByTop;
    const row = this.chart.row(i, j);
    const edges: Edge[] = [{ bound: scores[row + state], score: 0, below: [{ state, i, j }] }];
    for (let chain = starts[state]; chain < starts[state + 1]; chain++) {
      const end = ends[chain];
      const score = chainScores[chain];
      edges.push({ bound: scores[row + end] + score, score, below: [{ state: end, i, j }] });
    }
    return nearBest(edges);
  }

  private tagEdges({ state, i }: Part): Edge[] {
    const { states, scores } = this.words[i];
    const at = states.indexOf(state);
    return at === -1 ? [] : [{ bound: scores[at], score: scores[at], below: [] }];
  }

  private pairEdges({ state, i, j }: Part): Edge[] {
    const { grammar, scores } = this.chart;
    const { starts, first: lefts, second: rights, scores: ruleScores } = grammar.byParent;
    const edges: Edge[] = [];
    let least = Number.NEGATIVE_INFINITY;
    for (let k = i + 1; k < j; k++) {
      const leftRow = this.chart.row(i, k);
      const rightRow = this.chart.row(k, j);
      for (let rule = starts[state]; rule < starts[state + 1]; rule++) {
        const score = ruleScores[rule];
        const bound = scores[leftRow + lefts[rule]] + scores[rightRow + rights[rule]] + score;
        if (!(bound > least)) continue;
        least = Math.max(least, bound - WIDTH);
        const left = { state: lefts[rule], i, j: k };
        edges.push({ bound, score, below: [left, { state: rights[rule], i: k, j }] });
      }
    }
    return nearBest(edges);
  }
}

function nearBest(edges: readonly Edge[]): Edge[] {
  const best = edges.reduce((most, { bound }) => Math.max(most, bound), Number.NEGATIVE_INFINITY);
  return edges.filter(({ bound }) => bound > best - WIDTH).sort((a, b) => b.bound - a.bound);
}
