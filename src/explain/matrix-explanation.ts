import { matrixTreeMarginals } from '../decode/arc-confidences.ts';
import type { DecoderOptions } from '../decode/decoder.ts';
import { logSemiring, ProjectiveMarginals } from '../decode/projective-marginals.ts';
import type { DependencyTree } from '../treebank/sentence.ts';
import { roots } from '../treebank/tree.ts';
import { runnerUpOf } from './decisions.ts';
import type { ChuLiuEdmondsTrace, EisnerSpans } from './matrix.ts';
import { spansOfTree, traceChuLiuEdmonds } from './traced-search.ts';

/** A score matrix in the layout of decoders (decode/decoder.ts), with the decoded tree. */
export interface DecodedMatrix extends DecoderOptions {
  readonly scores: Float32Array;
  readonly n: number;
  readonly decoder: string;
  readonly isProjective: boolean;
  readonly tree: DependencyTree;
  /** Tree probabilities are proportional to exp(score / unit); default: estimated from the matrix. */
  readonly unit?: number | undefined;
}

/** Explains a decoded tree by its score matrix: scores and marginals of all arcs, runners-up of the tree's arcs. */
export function explainMatrix(matrix: DecodedMatrix) {
  const { scores, n, decoder, singleRoot, tree } = matrix;
  const { unit = unitOf(scores, n) } = matrix;
  const marginals = marginalsOf(matrix, unit);
  const arcs = [...tree.heads.keys()].slice(1).map((d) => {
    const head = tree.heads[d];
    const runnerUp = runnerUpHead(scores, n, d, head);
    const score = scores[head * (n + 1) + d];
    return {
      dependent: d,
      head,
      label: tree.labels[d],
      score,
      runnerUp: runnerUp ?? null,
      margin: runnerUp === undefined ? null : score - scores[runnerUp * (n + 1) + d],
      marginal: shown(marginals[head * (n + 1) + d]),
    };
  });
  return {
    decoder,
    singleRoot,
    unit,
    arcs,
    scores: asRows(scores, n),
    marginals: asRows(marginals, n).map((row) => row.map((p) => (p === null ? null : shown(p)))),
    treeScore: arcs.reduce((sum, { score }) => sum + score, 0),
  };
}

/** Traces how the decoder found its tree; undefined for decoders without a trace. */
export function searchIn(matrix: DecodedMatrix): ChuLiuEdmondsTrace | EisnerSpans | undefined {
  const { scores, n, singleRoot } = matrix;
  const { heads } = matrix.tree;
  const scoreOf = (h: number, d: number) => scores[h * (n + 1) + d];
  switch (matrix.decoder) {
    case 'chu-liu-edmonds':
    // Falls through: it finds the same trees as Chu–Liu–Edmonds, only more slowly.
    case 'matrix-power': {
      const { rounds, openings, heads: free } = traceChuLiuEdmonds(scores, n, heads);
      const changes = [...heads.keys()]
        .filter((d) => d > 0 && heads[d] !== free[d])
        .map((dependent) => ({ dependent, from: free[dependent], to: heads[dependent] }))
        .map((arc) => ({ ...arc, cost: scoreOf(arc.from, arc.dependent) - scoreOf(arc.to, arc.dependent) }));
      const oneRoot = changes.length === 0 ? undefined : { roots: roots(free), changes };
      return { algorithm: 'chu-liu-edmonds', rounds, openings, ...(oneRoot && { oneRoot }) };
    }
    case 'eisner':
      return { algorithm: 'eisner', spans: spansOfTree(scores, n, { singleRoot }, heads) };
    default:
      return undefined;
  }
}

export function runnerUpHead(scores: Float32Array, n: number, d: number, head: number): number | undefined {
  const heads = Array.from({ length: n + 1 }, (_, h) => h).filter((h) => h !== d);
  return runnerUpOf(heads, head, (h) => scores[h * (n + 1) + d]);
}

/** A quarter of the mean margin of the best head, so that it is on average e⁴ times as probable as the second. */
function unitOf(scores: Float32Array, n: number): number {
  let sum = 0;
  for (let d = 1; d <= n; d++) {
    let [best, second] = [-Infinity, -Infinity];
    for (let h = 0; h <= n; h++) {
      const score = h === d ? -Infinity : scores[h * (n + 1) + d];
      if (score > best) [best, second] = [score, best];
      else if (score > second) second = score;
    }
    if (second > -Infinity) sum += best - second;
  }
  return sum / n / 4 || 1;
}

/** Computes the probability of every arc in the distribution over all trees of the decoder: (n + 1) × (n + 1), row = head. */
function marginalsOf({ scores, n, isProjective, singleRoot }: DecodedMatrix, unit: number): Float64Array {
  const marginals = new Float64Array((n + 1) ** 2);
  if (!isProjective) {
    matrixTreeMarginals(scores, n, { singleRoot }, 1 / unit, marginals);
    return marginals;
  }
  const chart = new ProjectiveMarginals(logSemiring, { singleRoot });
  chart.fill(scores, n, 1 / unit, marginals);
  return marginals.map((logarithm) => Math.exp(logarithm - chart.sumOverTrees));
}

function asRows(matrix: ArrayLike<number>, n: number): (number | null)[][] {
  return Array.from({ length: n + 1 }, (_, h) =>
    Array.from({ length: n + 1 }, (_, d) => (d === 0 || d === h ? null : matrix[h * (n + 1) + d])),
  );
}

const shown = (probability: number): number => Math.round(probability * 1e6) / 1e6;
