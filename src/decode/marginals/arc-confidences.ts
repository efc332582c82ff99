import type { DecoderOptions } from '../decoder.ts';
import { matrixTreeMarginals } from './matrix-tree.ts';
import { ProjectiveMarginals } from './projective-marginals.ts';
import { total } from './semiring.ts';

export interface ArcConfidencesOptions extends DecoderOptions {
  /** Whether trees are projective. */
  readonly isProjective: boolean;
}

/** How probable the arcs of a tree are where that of a tree is proportional to the exponential of its score. */
export class ArcConfidences {
  private readonly projective: ProjectiveMarginals;
  private marginals = new Float64Array(0);

  constructor(private readonly options: ArcConfidencesOptions) {
    this.projective = new ProjectiveMarginals(total, options);
  }

  /**
   * Writes the marginal of each token's arc into `confidences`, from entry 1 on.
   *
   * @param scores as decoders take them (decoder.ts), of n tokens
   * @param scale what scores are multiplied by
   */
  fill(scores: Float32Array, n: number, scale: number, heads: Int32Array, confidences: Float64Array): void {
    const size = n + 1;
    if (this.marginals.length < size * size) this.marginals = new Float64Array(2 * size * size);
    const { marginals, projective, options } = this;
    if (options.isProjective) projective.fill(scores, n, scale, marginals);
    else matrixTreeMarginals(scores, n, options, scale, marginals);
    for (let d = 1; d <= n; d++) {
      const marginal = marginals[heads[d] * size + d];
      const probability = options.isProjective ? Math.exp(marginal - projective.ofAll) : marginal;
      confidences[d] = Math.min(1, Math.max(0, probability));
    }
  }
}
