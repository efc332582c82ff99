import { CandidateArcs } from '../../../src/decode/higher-order/candidate-arcs.ts';
import { HeadConditionals } from '../../../src/decode/higher-order/head-conditionals.ts';
import { HigherOrderChart } from '../../../src/decode/higher-order/higher-order-chart.ts';
import { ReAttachment } from '../../../src/decode/higher-order/re-attachment.ts';
import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import type { ArcFeatures } from '../features/arc-features.ts';
import type { GraphSettings } from '../settings.ts';
import { Pruner } from './pruner.ts';
import { TreeParts } from './tree-parts.ts';

/**
 * A graph parser of the second or third order without its weights: a model of single arcs chooses candidates, and
 * the best tree over them is found by the scores of larger parts.
 */
export class HigherOrderModel {
  readonly parts: TreeParts;
  readonly candidates = new CandidateArcs();
  private readonly pruner: Pruner;
  private readonly chart: HigherOrderChart;
  private readonly conditionals: HeadConditionals;
  /** Absent where trees are to be projective. */
  private readonly reAttachment: ReAttachment | undefined;

  constructor(arcs: ArcFeatures, settings: GraphSettings, numbering: Numbering, isProjective: boolean) {
    const { singleRoot } = settings;
    this.parts = new TreeParts(arcs, settings, numbering, isProjective);
    this.pruner = new Pruner({ singleRoot, isProjective });
    this.conditionals = new HeadConditionals({ singleRoot });
    this.chart = new HigherOrderChart({ singleRoot });
    this.reAttachment = isProjective ? undefined : new ReAttachment({ singleRoot });
  }

  /**
   * Sets `candidates` by the score matrix of single arcs.
   *
   * @param gold heads that are to be candidates, too, to learn from
   */
  prune(scores: Float32Array, n: number, gold?: Int32Array): void {
    this.pruner.prune(scores, n, this.candidates, gold);
  }

  /** Scores all parts over the candidates; the features of arcs are prepared. */
  score(sentence: EncodedSentence, weights: Int16Array): void {
    this.parts.prepare(sentence);
    this.parts.score(this.candidates, weights);
  }

  /**
   * Writes a tree over the candidates into `heads`: the best projective one by the scores of parts; or, where
   * trees need not be projective, what comes of that by giving tokens better heads.
   */
  decode(heads: Int32Array): void {
    const { candidates, parts, reAttachment } = this;
    this.chart.decode(candidates, parts.scores, heads);
    reAttachment?.improve(candidates, parts.scores, heads);
  }

  /**
   * Adds what larger parts say of a tree that was decoded: its confidences are those of single arcs and become, in
   * log odds, the mean of these and of how probable each head is given all others.
   */
  weighArcs(heads: Int32Array, scale: number, confidences: Float64Array): void {
    this.conditionals.mix(this.candidates, this.parts.scores, scale, heads, confidences);
  }
}
