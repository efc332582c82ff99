import type { Matrix } from 'ml-matrix';
import { matrixLibrary } from '../platform/packages.ts';
import type { Decoder, DecoderOptions } from './decoder.ts';

/**
 * The naive Chu–Liu–Edmonds algorithm of the report on `c__` (a graph-based parser in C++ with an averaged perceptron),
 * section "Chu-Liu-Edmonds", for comparison: finds cycles of best heads on the diagonals of powers of the adjacency
 * matrix A, then contracts and expands the cost matrix C. Exact, in O(n⁴) or more. Ties: of equal heads the one with
 * the lowest index; of equal arcs into or out of a cycle, the one at its lowest member.
 */
export function createMatrixPower({ singleRoot }: DecoderOptions): Decoder {
  const { Matrix } = matrixLibrary();
  return {
    name: 'matrix-power',
    isProjective: false,
    decode(scores, n, heads) {
      const costs = new Matrix(n + 1, n + 1);
      for (let h = 0; h <= n; h++)
        for (let d = 1; d <= n; d++) costs.set(h, d, h === d ? -Infinity : scores[h * (n + 1) + d]);
      heads.set(bestTree(costs, singleRoot));
    },
  };
}

/** A contraction of a cycle, with nodes numbered as before it, for undoing it. */
interface Contraction {
  readonly heads: readonly number[];
  /** outside[i] is node i of the contracted graph, whose last node is the cycle. */
  readonly outside: readonly number[];
  /** The members of the cycle that the best arc from outside[i] enters, and that the best arc to outside[i] leaves. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
}

/** Finds the best tree of a cost matrix (entry (h, d) for h → d) by contractions until no cycle is left. */
function bestTree(costs: Matrix, singleRoot: boolean): number[] {
  const contractions: Contraction[] = [];
  let graph = costs;
  let heads = greedyHeads(graph, singleRoot);
  for (let cycle = findCycle(heads); cycle.length > 0; cycle = findCycle(heads)) {
    const { contraction, contracted } = contract(graph, heads, cycle);
    contractions.push(contraction);
    graph = contracted;
    heads = greedyHeads(graph, singleRoot);
  }
  return contractions.reduceRight((tree, contraction) => expand(tree, contraction), heads);
}

/** Chooses the best heads; with `singleRoot`, the root is a head only of the last remaining node (see `Arborescence.solve`). */
function greedyHeads(costs: Matrix, singleRoot: boolean): number[] {
  const heads = [-1];
  for (let d = 1; d < costs.columns; d++) {
    let best = singleRoot && costs.columns > 2 ? (d === 1 ? 2 : 1) : 0;
    for (let h = best + 1; h < costs.rows; h++) if (costs.get(h, d) > costs.get(best, d)) best = h;
    heads.push(best);
  }
  return heads;
}

/**
 * Finds a shortest cycle, in ascending order; empty if the heads form a tree. Entry (i, j) of Aᵖ is the number of
 * paths of length p from i to j. The first p with a non-zero diagonal is the length of the shortest cycles,
 * whose nodes have the non-zero entries; without a cycle, Aᵖ becomes zero.
 */
function findCycle(heads: readonly number[]): number[] {
  const { Matrix } = matrixLibrary();
  const adjacency = Matrix.zeros(heads.length, heads.length);
  for (let d = 1; d < heads.length; d++) adjacency.set(heads[d], d, 1);
  for (let power = adjacency; power.max() > 0; power = power.mmul(adjacency)) {
    const candidate = power.diagonal().findIndex((paths) => paths > 0);
    if (candidate < 0) continue;
    const cycle = [candidate];
    for (let v = heads[candidate]; v !== candidate; v = heads[v]) cycle.push(v);
    return cycle.sort((a, b) => a - b);
  }
  return [];
}

/** Contracts a cycle to one node, the last; the cost of an arc into it includes the cycle's arc that it replaces. */
function contract(costs: Matrix, heads: readonly number[], cycle: readonly number[]) {
  const inCycle = new Set(cycle);
  const outside = heads.map((_, v) => v).filter((v) => !inCycle.has(v));
  const entering = (u: number, v: number) => costs.get(u, v) - costs.get(heads[v], v);
  const entered = outside.map((u) => highest(cycle, (v) => entering(u, v)));
  const left = outside.map((u) => highest(cycle, (v) => costs.get(v, u)));

  const last = outside.length;
  const { Matrix } = matrixLibrary();
  const contracted = Matrix.zeros(last + 1, last + 1);
  contracted.set(last, last, -Infinity);
  contracted.setSubMatrix(costs.selection([...outside], [...outside]), 0, 0);
  outside.forEach((u, i) => {
    contracted.set(i, last, entering(u, entered[i]));
    contracted.set(last, i, costs.get(left[i], u));
  });
  return { contracted, contraction: { heads, outside, entered, left } satisfies Contraction };
}

/** Undoes a contraction: the cycle is opened where the contracted tree enters it. */
function expand(tree: readonly number[], { heads, outside, entered, left }: Contraction): number[] {
  const last = outside.length;
  const expanded = [...heads];
  outside.forEach((u, i) => {
    const h = tree[i];
    expanded[u] = h === last ? left[i] : (outside[h] ?? -1);
  });
  const entry = tree[last];
  expanded[entered[entry]] = outside[entry];
  return expanded;
}

function highest(items: readonly number[], value: (item: number) => number): number {
  return items.reduce((best, item) => (value(item) > value(best) ? item : best));
}
