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

/**
 * Fills `marginals` (laid out as the score matrix) with the arcs' probabilities over all trees: what the Matrix-Tree
 * theorem gives (Koo et al. 2007, D07-1015, §3; McDonald & Satta 2007; Smith & Smith 2007), in O(n³). The
 * probabilities of a token's heads add up to 1.
 */
export function matrixTreeMarginals(
  scores: Float32Array,
  n: number,
  { singleRoot }: DecoderOptions,
  scale: number,
  marginals: Float64Array,
): void {
  // The root is the only possible head of a single token.
  if (n > 0) new HeadWalks(scores, n, scale, singleRoot && n > 1 ? 1 : 0).fill(marginals);
}

/** Lowest log weight of an arc, relative to the best: exp() of it does not underflow. */
const LOWEST = -700;
/** Limit on root weights with a single root: they grow large where two tokens are each other's only good heads. */
const MOST = 1e200;

/**
 * The inverse of the Laplacian by random walks from tokens to their heads, as in Wilson (1996): the arc from h to d
 * has a probability ∝ weight(h, d) · reach(h), where reach(h) is the chance that a walk from h reaches the root before d.
 * If there must be a single root, the walk stays among tokens, and reach(h) is the expected sum of root weights of the
 * tokens that it passes.
 *
 * All tokens but d are left out one by one: a walk through a token that is left out becomes a direct step (Grassmann,
 * Taksar & Heyman 1985). Nothing is subtracted, so that no digits cancel, however far apart the scores are. Recursive
 * halving of the tokens shares the work among all d.
 */
class HeadWalks {
  private readonly size: number;
  /** By level of halving: (n + 1) × (n + 1), row = dependent; heads from `first` on add up to 1. */
  private readonly weights: Float64Array;
  /** Tokens left out, in order; by token: where its row was then. */
  private readonly leftOut: Int32Array;
  private readonly rows: Int32Array;
  private count = 0;
  private readonly reach: Float64Array;

  /** @param first the first head that walks may go to: 1 leaves out the root */
  constructor(
    scores: Float32Array,
    n: number,
    scale: number,
    private readonly first: 0 | 1,
  ) {
    const size = n + 1;
    this.size = size;
    this.weights = new Float64Array((2 + Math.ceil(Math.log2(n))) * size * size);
    this.leftOut = new Int32Array(n);
    this.rows = new Int32Array(size);
    this.reach = new Float64Array(size);
    for (let d = 1; d <= n; d++) this.weigh(scores, d, scale);
    if (first === 1) this.weighRoot();
    for (let d = 1; d <= n; d++) this.normalize(d * size, d, 1, size);
  }

  /** Sets the weights of d's heads, relative to the best; the root's is still a logarithm if walks leave it out. */
  private weigh(scores: Float32Array, d: number, scale: number): void {
    const { weights, size, first } = this;
    let best = -Infinity;
    for (let h = first; h < size; h++) if (h !== d) best = Math.max(best, scores[h * size + d]);
    for (let h = 0; h < size; h++) {
      if (h === d) continue;
      const below = scale * (scores[h * size + d] - best);
      weights[d * size + h] = h < first ? below : Math.exp(Math.max(LOWEST, below));
    }
  }

  /** Turns the log weights of root arcs into weights. A common factor cancels out: every tree has one such arc. */
  private weighRoot(): void {
    const { weights, size } = this;
    let best = -Infinity;
    for (let d = 1; d < size; d++) best = Math.max(best, weights[d * size]);
    for (let d = 1; d < size; d++) weights[d * size] = Math.exp(Math.max(LOWEST, weights[d * size] - best));
  }

  /** Scales the row of d, at `row`, over the root and the tokens from lo to hi − 1. */
  private normalize(row: number, d: number, lo: number, hi: number): void {
    const { weights, first } = this;
    let sum = first === 0 ? weights[row] : 0;
    for (let h = lo; h < hi; h++) if (h !== d) sum += weights[row + h];
    weights[row] = Math.min(MOST, weights[row] / sum);
    for (let h = lo; h < hi; h++) weights[row + h] /= sum;
  }

  fill(marginals: Float64Array): void {
    this.halve(1, this.size, 0, marginals);
  }

  /** Fills the marginals of the tokens from lo to hi − 1; all others are left out. */
  private halve(lo: number, hi: number, level: number, marginals: Float64Array): void {
    if (hi - lo === 1) {
      this.fillHeads(lo, marginals);
      return;
    }
    const { count } = this;
    const middle = (lo + hi) >> 1;
    this.copy(lo, hi, level);
    for (let v = hi - 1; v >= middle; v--) this.leaveOut(v, lo, v, level + 1);
    this.halve(lo, middle, level + 1, marginals);
    this.count = count;
    this.copy(lo, hi, level);
    for (let v = lo; v < middle; v++) this.leaveOut(v, v + 1, hi, level + 1);
    this.halve(middle, hi, level + 1, marginals);
    this.count = count;
  }

  private copy(lo: number, hi: number, level: number): void {
    const { weights, size } = this;
    for (let d = lo; d < hi; d++) {
      const from = (level * size + d) * size;
      const to = from + size * size;
      weights[to] = weights[from];
      for (let h = lo; h < hi; h++) weights[to + h] = weights[from + h];
    }
  }

  /** Leaves out v: walks through it become direct steps among the tokens from lo to hi − 1, which remain. */
  private leaveOut(v: number, lo: number, hi: number, level: number): void {
    const { weights, size } = this;
    const left = (level * size + v) * size;
    this.leftOut[this.count++] = v;
    this.rows[v] = left;
    if (hi - lo === 1) return;
    for (let d = lo; d < hi; d++) {
      const row = (level * size + d) * size;
      const through = weights[row + v];
      weights[row] += through * weights[left];
      for (let h = lo; h < hi; h++) if (h !== d) weights[row + h] += through * weights[left + h];
      this.normalize(row, d, lo, hi);
    }
  }

  /** Fills the marginals of d's heads, after all other tokens were left out. */
  private fillHeads(d: number, marginals: Float64Array): void {
    const { weights, size, leftOut, rows, reach } = this;
    reach[0] = 1;
    reach[d] = 0;
    let [lo, hi] = [d, d + 1];
    for (let k = this.count - 1; k >= 0; k--) {
      const v = leftOut[k];
      let sum = weights[rows[v]];
      for (let h = lo; h < hi; h++) sum += weights[rows[v] + h] * reach[h];
      reach[v] = sum;
      if (v < lo) lo = v;
      else hi = v + 1;
    }
    let sum = 0;
    for (let h = 0; h < size; h++) sum += weights[d * size + h] * reach[h];
    for (let h = 0; h < size; h++)
      if (h !== d) marginals[h * size + d] = (weights[d * size + h] * reach[h]) / sum;
  }
}
