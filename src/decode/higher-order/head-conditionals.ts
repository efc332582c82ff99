import type { DecoderOptions } from '../decoder.ts';
import type { CandidateArcs } from './candidate-arcs.ts';
import type { PartScores } from './part-scores.ts';
import { ReAttachment } from './re-attachment.ts';

/** What no arc in a tree is less probable than. */
const LEAST = 1e-9;

/**
 * The probability of each token's head, given all other heads of a tree. The probability of a tree is
 * proportional to the exponential of its score. The heads that a token may have are those that leave it a
 * tree.
 */
export class HeadConditionals {
  private readonly reAttachment: ReAttachment;

  constructor(options: DecoderOptions) {
    this.reAttachment = new ReAttachment(options);
  }

  /**
   * Makes confidences of single arcs the mean, in log odds, of what they are and of these conditionals: the former
   * know of trees that differ in many arcs, the latter of larger parts.
   *
   * @param scale what scores are multiplied by
   */
  mix(
    arcs: CandidateArcs,
    scores: PartScores,
    scale: number,
    heads: Int32Array,
    confidences: Float64Array,
  ): void {
    const rivals = new Float64Array(arcs.length + 1);
    this.reAttachment.gains(arcs, scores, heads, (d, gain) => {
      rivals[d] += Math.exp(scale * gain);
    });
    for (let d = 1; d <= arcs.length; d++) {
      const against = Math.sqrt((1 / Math.max(confidences[d], LEAST) - 1) * rivals[d]);
      confidences[d] = 1 / (1 + against);
    }
  }
}
