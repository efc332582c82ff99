import type { Matrix } from 'ml-matrix';
import { matrixLibrary } from '../platform/packages.ts';
import type { Decoder, DecoderOptions } from './decoder.ts';
import { logSemiring, ProjectiveMarginals } from './projective-marginals.ts';

/** Computes the marginal probabilities of a tree's arcs under P(tree) ∝ exp(scale · score). */
export class ArcConfidences {
  private readonly projective: ProjectiveMarginals;
  private marginals = new Float64Array(0);

  constructor(private readonly options: DecoderOptions & Pick<Decoder, 'isProjective'>) {
    this.projective = new ProjectiveMarginals(logSemiring, options);
  }

  /** Writes the marginal of each token's arc into confidences[1…n]; `scores` is laid out as in `Decoder`. */
  fill(scores: Float32Array, n: number, scale: number, heads: Int32Array, confidences: Float64Array): void {
    const size = n + 1;
    if (this.marginals.length < size * size) this.marginals = new Float64Array(2 * size * size);
    const { marginals, projective, options } = this;
    if (options.isProjective) projective.fill(scores, n, scale, marginals);
    else matrixTreeMarginals(scores, n, options, scale, marginals);
    for (let d = 1; d <= n; d++) {
      const marginal = marginals[heads[d] * size + d];
      const probability = options.isProjective ? Math.exp(marginal - projective.sumOverTrees) : marginal;
      confidences[d] = Math.min(1, Math.max(0, probability));
    }
  }
}

/** Minimum log weight of an arc relative to its dependent's best: below it, cycles make the Laplacian singular. */
const FARTHEST = -25;

/**
 * Fills `marginals` (laid out as the score matrix) with the arcs' probabilities over all trees, by the Matrix-Tree
 * theorem in O(n³) (Koo et al. 2007, D07-1015, §3; McDonald & Satta 2007; Smith & Smith 2007). The probabilities
 * of a token's heads add up to 1.
 */
export function matrixTreeMarginals(
  scores: Float32Array,
  n: number,
  { singleRoot }: DecoderOptions,
  scale: number,
  marginals: Float64Array,
): void {
  if (n === 0) return;
  const size = n + 1;
  const weights = weightsOf(scores, n, scale);
  const inverted = matrixLibrary().inverse(laplacian(weights, n, singleRoot));
  for (let d = 1; d <= n; d++) {
    const own = inverted.get(d - 1, d - 1);
    const ofRoot = singleRoot ? inverted.get(d - 1, 0) : own;
    marginals[d] = atLeast0(weights[d] * ofRoot);
    for (let h = 1; h <= n; h++) {
      if (h === d) continue;
      // With a single root, row 1 of the Laplacian holds the arcs from the root in place of token 1's.
      const into = singleRoot && d === 1 ? 0 : own;
      const across = singleRoot && h === 1 ? 0 : inverted.get(d - 1, h - 1);
      marginals[h * size + d] = atLeast0(weights[h * size + d] * (into - across));
    }
    normalize(marginals, n, d);
  }
}

/** The weights exp(score − best score of the dependent), which give the same probabilities as exp(score). */
function weightsOf(scores: Float32Array, n: number, scale: number): Float64Array {
  const size = n + 1;
  const weights = new Float64Array(size * size);
  for (let d = 1; d <= n; d++) {
    let best = -Infinity;
    for (let h = 0; h <= n; h++) if (h !== d) best = Math.max(best, scores[h * size + d]);
    for (let h = 0; h <= n; h++) {
      if (h === d) continue;
      weights[h * size + d] = Math.exp(Math.max(FARTHEST, scale * (scores[h * size + d] - best)));
    }
  }
  return weights;
}

function laplacian(weights: Float64Array, n: number, singleRoot: boolean): Matrix {
  const size = n + 1;
  const { Matrix } = matrixLibrary();
  const matrix: Matrix = Matrix.zeros(n, n);
  for (let d = 1; d <= n; d++) {
    let sum = singleRoot ? 0 : weights[d];
    for (let h = 1; h <= n; h++) {
      if (h === d) continue;
      sum += weights[h * size + d];
      matrix.set(h - 1, d - 1, -weights[h * size + d]);
    }
    matrix.set(d - 1, d - 1, sum);
    if (singleRoot) matrix.set(0, d - 1, weights[d]);
  }
  return matrix;
}

/** Makes the probabilities of the heads of d add up to 1 despite rounding. */
function normalize(marginals: Float64Array, n: number, d: number): void {
  const size = n + 1;
  let sum = 0;
  for (let h = 0; h <= n; h++) if (h !== d) sum += marginals[h * size + d];
  for (let h = 0; h <= n; h++) if (h !== d) marginals[h * size + d] /= sum;
}

const atLeast0 = (value: number): number => (value > 0 ? value : 0);
