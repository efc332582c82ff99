import { ArcConfidences, matrixTreeMarginals } from '../../src/decode/arc-confidences.ts';
import type { Decoder, DecoderOptions } from '../../src/decode/decoder.ts';
import { createEisner } from '../../src/decode/eisner.ts';
import { CandidateArcs } from '../../src/decode/higher-order/candidate-arcs.ts';
import { HigherOrderChart } from '../../src/decode/higher-order/higher-order-chart.ts';
import { ReAttachment } from '../../src/decode/higher-order/re-attachment.ts';
import { kBestOf, treeProbability } from '../../src/decode/k-best.ts';
import { maxSemiring, ProjectiveMarginals } from '../../src/decode/projective-marginals.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { UNIT } from '../../src/learn/linear/learner.ts';
import { ArcFeatures } from './features/arc-features.ts';
import type { DistanceKind } from './features/distance.ts';
import { GuideFeatures, guideTemplatesOver } from './features/guide-features.ts';
import { arcTemplatesOf, templatesOver } from './features/templates.ts';
import { LabelFeatures, Labeller, labelBits, RelativeFeatures } from './labeller.ts';
import type { GraphSettings } from './settings.ts';
import { TreeParts } from './tree-parts.ts';

/**
 * A second- or third-order model; callers pass the weights. A first-order model prunes the candidate heads, then the scores
 * of larger parts decide on the tree.
 */
export class HigherOrderModel {
  readonly parts: TreeParts;
  readonly candidates = new CandidateArcs();
  private readonly pruner: Pruner;
  private readonly chart: HigherOrderChart;
  private readonly reAttachment: ReAttachment;

  constructor(
    arcs: ArcFeatures,
    settings: GraphSettings,
    numbering: Numbering,
    private readonly isProjective: boolean,
  ) {
    const { singleRoot } = settings;
    this.parts = new TreeParts(arcs, settings, numbering, isProjective);
    this.pruner = new Pruner({ singleRoot, isProjective });
    this.chart = new HigherOrderChart({ singleRoot });
    this.reAttachment = new ReAttachment({ singleRoot });
  }

  /** Sets `candidates` by the score matrix of the first-order model; with `gold`, they include the gold heads. */
  prune(scores: Float32Array, n: number, gold?: Int32Array): void {
    this.pruner.prune(scores, n, this.candidates, gold);
  }

  score(sentence: EncodedSentence, weights: Int16Array): void {
    this.parts.prepare(sentence);
    this.parts.score(this.candidates, weights);
  }

  /** Writes the best projective tree into `heads`; re-attachment improves it if trees need not be projective. */
  decode(heads: Int32Array): void {
    const { candidates, parts, reAttachment } = this;
    this.chart.decode(candidates, parts.scores, heads);
    if (!this.isProjective) reAttachment.improve(candidates, parts.scores, heads);
  }

  /** Averages first-order confidences, in log odds, with the probability of each head given all other heads. */
  weighArcs(heads: Int32Array, scale: number, confidences: Float64Array): void {
    this.reAttachment.mix(this.candidates, this.parts.scores, scale, heads, confidences);
  }
}

/**
 * Pruning margin: a head is a candidate if its marginal is at least e^−3 times the best one's, with MIRA's weights
 * (UD English EWT dev: 3.3 heads per word; 0.66% of the right heads of projective trees are lost).
 */
const MARGIN = 3;
/** Pruning margin in training, to see more wrong heads (held-out UD English EWT: LAS 84.03, with 3 83.74). */
const LEARNING_MARGIN = 4.5;
/** Limit on candidate heads of a word, besides the head in the best tree. */
const MOST_HEADS = 10;

/**
 * Selects candidate arcs by first-order scores: for projective trees by max-marginals (Rush & Petrov 2012, N12-1054),
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
    this.projective = new ProjectiveMarginals(maxSemiring, options);
  }

  prune(scores: Float32Array, n: number, arcs: CandidateArcs, gold?: Int32Array): void {
    const size = n + 1;
    if (this.tree.length < size) {
      const capacity = Math.ceil(1.25 * size);
      this.marginals = new Float64Array(capacity ** 2);
      this.tree = new Int32Array(capacity);
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

export interface GraphWeights {
  readonly arcs: Int16Array;
  readonly labels: Int16Array;
  /** Weights of the arcs and larger parts of trees over candidates, in parsers of a higher order. */
  readonly parts?: Int16Array | undefined;
  readonly scales: ScoreScales;
}

/** Trees have probabilities ∝ exp(scale · score), with the scores of arcs, or of the parts in a higher order. */
export interface ScoreScales {
  readonly arcs: number;
  readonly parts?: number | undefined;
}

type RankedTree = { readonly heads: Int32Array; readonly labels: Int32Array; readonly probability: number };

/** The features, decoder and labeller of a graph parser; callers pass the weights, so that training can use it, too. */
export class GraphModel {
  readonly settings: GraphSettings;
  readonly numbering: Numbering;
  readonly arcs: ArcFeatures;
  readonly labeller: Labeller;
  /** Absent in a first-order model. */
  readonly higherOrder: HigherOrderModel | undefined;
  readonly decoder: Decoder;
  private readonly confidences: ArcConfidences;
  private scores = new Float32Array(0);

  constructor({ settings, numbering }: Pick<GraphModel, 'settings' | 'numbering'>) {
    this.settings = settings;
    this.numbering = numbering;
    const { encoder, labels } = numbering;
    const { templates, tags } = settings;
    const columns = encoder.names;
    const vocabularySizes = columns.map((_, c) => encoder.vocabulary(c).size);
    const arcFeatures = (names: readonly string[], distance: DistanceKind, reservedBits: number) =>
      new ArcFeatures({
        templates: templatesOver(names, tags),
        columns,
        vocabularySizes,
        distance,
        reservedBits,
        guides:
          settings.guides === undefined
            ? undefined
            : new GuideFeatures(settings.guides, guideTemplatesOver(tags), columns, reservedBits),
      });
    this.arcs = arcFeatures(templates.arcs, settings.distance, 0);
    const reservedBits = settings.labelBits ?? labelBits(labels.length);
    const labelArcs = arcFeatures(arcTemplatesOf(templates.labels), 'none', reservedBits);
    const relatives = new RelativeFeatures(templates.labels, tags, columns, reservedBits);
    const labelFeatures = new LabelFeatures(labelArcs, relatives.isEmpty ? undefined : relatives);
    this.labeller = new Labeller(labelFeatures, labels.length, reservedBits);
    this.decoder = createDecoder(settings.decoder, { singleRoot: settings.singleRoot });
    const { isProjective } = this.decoder;
    this.confidences = new ArcConfidences({ singleRoot: settings.singleRoot, isProjective });
    this.higherOrder =
      settings.order === undefined
        ? undefined
        : new HigherOrderModel(this.arcs, settings, numbering, isProjective);
  }

  findHeads(
    sentence: EncodedSentence,
    weights: Omit<GraphWeights, 'labels'>,
    heads: Int32Array,
    confidences?: Float64Array,
  ): void {
    findHeadsInChunks(sentence, this.settings.maxLength, heads, (chunk, found, before) => {
      this.findTree(chunk, weights, found);
      if (confidences === undefined) return;
      const own = confidences.subarray(before);
      const { arcs, parts } = weights.scales;
      this.confidences.fill(this.scores, chunk.length, arcs, found, own);
      if (parts !== undefined) this.higherOrder?.weighArcs(found, parts, own);
    });
  }

  /** The k best trees of a first-order model, with their probabilities. */
  bestTrees(sentence: EncodedSentence, { arcs, labels, scales }: GraphWeights, k: number): RankedTree[] {
    const { length } = sentence;
    const scores = this.score(sentence, arcs);
    return kBestOf(this.decoder, this.settings)(scores, length, k).map(({ heads }) => {
      const own = new Int32Array(length + 1);
      this.findLabels(sentence, labels, heads, own);
      return { heads, labels: own, probability: treeProbability(heads, scores, length, scales.arcs) };
    });
  }

  private findTree(
    sentence: EncodedSentence,
    { arcs, parts }: Omit<GraphWeights, 'labels'>,
    heads: Int32Array,
  ): void {
    const { higherOrder } = this;
    const scores = this.score(sentence, arcs);
    if (higherOrder === undefined || parts === undefined) {
      this.decoder.decode(scores, sentence.length, heads);
      return;
    }
    higherOrder.prune(scores, sentence.length);
    higherOrder.score(sentence, parts);
    higherOrder.decode(heads);
  }

  /** scores: (n + 1) × (n + 1), row = head; the next call reuses the buffer. `arcs` stays prepared for the sentence. */
  score(sentence: EncodedSentence, weights: Int16Array): Float32Array {
    const size = (sentence.length + 1) ** 2;
    if (this.scores.length < size) this.scores = new Float32Array(2 * size);
    this.arcs.prepare(sentence);
    this.arcs.score(weights, this.scores);
    return this.scores;
  }

  /** Writes the number of the best label of each arc into `labels`; the labeller's features stay prepared for the tree. */
  findLabels(sentence: EncodedSentence, weights: Int16Array, heads: Int32Array, labels: Int32Array): void {
    this.labeller.features.prepare(sentence, heads);
    for (let d = 1; d <= sentence.length; d++) {
      const h = heads[d];
      labels[d] = this.labeller.best(weights, h, d, this.numbering.candidates.of(sentence, h, d));
    }
  }
}
