import { matrixTreeMarginals } from '../../src/decode/arc-confidences.ts';
import type { DecoderOptions } from '../../src/decode/decoder.ts';
import { createEisner } from '../../src/decode/eisner.ts';
import { CandidateArcs } from '../../src/decode/higher-order/candidate-arcs.ts';
import { HigherOrderChart } from '../../src/decode/higher-order/higher-order-chart.ts';
import { HeadConditionals, ReAttachment } from '../../src/decode/higher-order/re-attachment.ts';
import { best, ProjectiveMarginals } from '../../src/decode/projective-marginals.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { UNIT } from '../../src/learn/linear/learner.ts';
import type { ArcFeatures } from './features/arc-features.ts';
import type { GraphSettings } from './settings.ts';
import { TreeParts } from './tree-parts.ts';

/** A second- or third-order model without weights: single arcs choose candidates, larger parts the tree. */
export class HigherOrderModel {
  readonly parts: TreeParts;
  readonly candidates = new CandidateArcs();
  private readonly pruner: Pruner;
  private readonly chart: HigherOrderChart;
  private readonly conditionals: HeadConditionals;
  private readonly reAttachment: ReAttachment | undefined;

  constructor(arcs: ArcFeatures, settings: GraphSettings, numbering: Numbering, isProjective: boolean) {
    const { singleRoot } = settings;
    this.parts = new TreeParts(arcs, settings, numbering, isProjective);
    this.pruner = new Pruner({ singleRoot, isProjective });
    this.conditionals = new HeadConditionals({ singleRoot });
    this.chart = new HigherOrderChart({ singleRoot });
    this.reAttachment = isProjective ? undefined : new ReAttachment({ singleRoot });
  }

  /** Sets `candidates` by the score matrix of single arcs; in training they include the gold heads. */
  prune(scores: Float32Array, n: number, gold?: Int32Array): void {
    this.pruner.prune(scores, n, this.candidates, gold);
  }

  score(sentence: EncodedSentence, weights: Int16Array): void {
    this.parts.prepare(sentence);
    this.parts.score(this.candidates, weights);
  }

  /** Writes the best projective tree into `heads`; if trees need not be projective, improved by re-attachment. */
  decode(heads: Int32Array): void {
    const { candidates, parts, reAttachment } = this;
    this.chart.decode(candidates, parts.scores, heads);
    reAttachment?.improve(candidates, parts.scores, heads);
  }

  /** Averages confidences of single arcs, in log odds, with the probabilities of heads given all others. */
  weighArcs(heads: Int32Array, scale: number, confidences: Float64Array): void {
    this.conditionals.mix(this.candidates, this.parts.scores, scale, heads, confidences);
  }
}

/**
 * Pruning margin: a head is a candidate if its marginal is at least e^−3 times that of the best one, with MIRA's weights
 * (UD English EWT dev: 3.3 heads per word; 0.66% of the right heads of projective trees are lost).
 */
const MARGIN = 3;
/** Pruning margin in training, to see more wrong heads (held-out UD English EWT: LAS 84.03, with 3 83.74). */
const LEARNING_MARGIN = 4.5;
/** Limit on candidate heads of a word, besides the head in the best tree. */
const MOST_HEADS = 10;

/**
 * Chooses candidate arcs by a model of single arcs: for projective trees by max-marginals (Rush & Petrov 2012, N12-1054),
 * for others by marginals. The arcs of the best projective tree are always candidates, so that there is a tree.
 */
export class Pruner {
  private readonly decoder;
  private readonly projective: ProjectiveMarginals;
  /** Logarithms of marginals: (n + 1) × (n + 1), row = head. */
  private marginals = new Float64Array(0);
  private tree = new Int32Array(0);

  constructor(private readonly options: DecoderOptions & { readonly isProjective: boolean }) {
    this.decoder = createEisner(options);
    this.projective = new ProjectiveMarginals(best, options);
  }

  prune(scores: Float32Array, n: number, arcs: CandidateArcs, gold?: Int32Array): void {
    const size = n + 1;
    if (this.tree.length < size) {
      const room = Math.ceil(1.25 * size);
      this.marginals = new Float64Array(room * room);
      this.tree = new Int32Array(room);
    }
    const { marginals, tree } = this;
    this.fill(scores, n);
    this.decoder.decode(scores, n, tree);
    const margin = gold === undefined ? MARGIN : LEARNING_MARGIN;
    arcs.start(n);
    for (let d = 1; d <= n; d++) {
      const least = this.leastOf(d, size, margin);
      for (let h = 0; h <= n; h++) {
        if (h === d) continue;
        if (marginals[h * size + d] > least || h === tree[d] || h === gold?.[d]) arcs.add(h, d);
      }
    }
    arcs.finish();
  }

  private fill(scores: Float32Array, n: number): void {
    const { marginals, options } = this;
    if (options.isProjective) {
      this.projective.fill(scores, n, 1 / UNIT, marginals);
      return;
    }
    matrixTreeMarginals(scores, n, options, 1 / UNIT, marginals);
    for (let arc = 1; arc < (n + 1) ** 2; arc++) marginals[arc] = Math.log(marginals[arc]);
  }

  /** The log marginal above which a head of d is a candidate: the margin's, or higher to keep to `MOST_HEADS`. */
  private leastOf(d: number, size: number, margin: number): number {
    const { marginals } = this;
    let highest = -Infinity;
    for (let h = 0; h < size; h++) if (h !== d) highest = Math.max(highest, marginals[h * size + d]);
    const least = highest - margin;
    let above = 0;
    for (let h = 0; h < size; h++) if (h !== d && marginals[h * size + d] > least) above++;
    if (above <= MOST_HEADS) return least;
    const ofHeads = Float64Array.from({ length: size }, (_, h) =>
      h === d ? -Infinity : marginals[h * size + d],
    );
    return ofHeads.sort()[size - 1 - MOST_HEADS];
  }
}
