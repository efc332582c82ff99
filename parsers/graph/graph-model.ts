import { ArcConfidences } from '../../src/decode/arc-confidences.ts';
import type { Decoder } from '../../src/decode/decoder.ts';
import type { CandidateArcs } from '../../src/decode/higher-order/candidate-arcs.ts';
import { kBestOf, treeProbability } from '../../src/decode/k-best.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { UNIT } from '../../src/learn/linear/learner.ts';
import { ArcFeatures } from './features/arc-features.ts';
import type { DistanceKind } from './features/distance.ts';
import { GuideFeatures, guideTemplatesOver } from './features/guide-features.ts';
import { arcTemplatesOf, templatesOver } from './features/templates.ts';
import { HigherOrderModel } from './higher-order-model.ts';
import { LabelFeatures, Labeller, labelBits, RelativeFeatures } from './labeller.ts';
import type { GraphSettings } from './settings.ts';

/** Scale of scores for the probabilities of arcs, chosen on UD English EWT dev: expected calibration error 1.80 points. */
const CONFIDENCE_SCALE = 1 / (16 * UNIT);

export interface GraphWeights {
  readonly arcs: Int16Array;
  readonly labels: Int16Array;
  /** Weights of the arcs and larger parts of trees over candidates, in parsers of a higher order. */
  readonly parts?: Int16Array | undefined;
}

interface RankedTree {
  readonly heads: Int32Array;
  readonly labels: Int32Array;
  readonly probability: number;
}

/** A graph parser without its weights: finds heads and labels of an encoded sentence by given weights. */
export class GraphModel {
  readonly settings: GraphSettings;
  readonly numbering: Numbering;
  readonly arcs: ArcFeatures;
  readonly labeller: Labeller;
  /** Absent if each arc is scored alone. */
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
    const reservedBits = labelBits(labels.length);
    const labelArcs = arcFeatures(arcTemplatesOf(templates.labels), 'none', reservedBits);
    const relatives = new RelativeFeatures(templates.labels, tags, columns, reservedBits);
    const labelFeatures = new LabelFeatures(labelArcs, relatives.isEmpty ? undefined : relatives);
    this.labeller = new Labeller(labelFeatures, labels.length);
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
      this.confidences.fill(this.scores, chunk.length, CONFIDENCE_SCALE, found, own);
      if (weights.parts !== undefined) this.higherOrder?.weighArcs(found, CONFIDENCE_SCALE, own);
    });
  }

  /** The candidate arcs of a sentence's tree, valid until the next sentence; undefined if all arcs are candidates. */
  candidates(sentence: EncodedSentence, weights: Int16Array): CandidateArcs | undefined {
    this.higherOrder?.prune(this.score(sentence, weights), sentence.length);
    return this.higherOrder?.candidates;
  }

  /** The k best trees, if each arc is scored alone, with their probabilities. */
  bestTrees(sentence: EncodedSentence, { arcs, labels }: GraphWeights, k: number): RankedTree[] {
    const { length } = sentence;
    const scores = this.score(sentence, arcs);
    const found = kBestOf(this.decoder, this.settings)(scores, length, k);
    return found.map(({ heads }) => {
      const own = new Int32Array(length + 1);
      this.findLabels(sentence, labels, heads, own);
      return { heads, labels: own, probability: treeProbability(heads, scores, length, CONFIDENCE_SCALE) };
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

  /** Writes the numbers of the best labels of a tree's arcs into `labels`; features of labels stay prepared. */
  findLabels(sentence: EncodedSentence, weights: Int16Array, heads: Int32Array, labels: Int32Array): void {
    this.labeller.features.prepare(sentence, heads);
    for (let d = 1; d <= sentence.length; d++) {
      const h = heads[d];
      labels[d] = this.labeller.best(weights, h, d, this.numbering.candidates.of(sentence, h, d));
    }
  }
}
