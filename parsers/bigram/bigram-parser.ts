import { ArcConfidences } from '../../src/decode/arc-confidences.ts';
import type { Decoder, DecoderOptions } from '../../src/decode/decoder.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { loadNumbering, saveNumbering } from '../../src/encoding/numbering.ts';
import type { BigramExplanation } from '../../src/explain/matrix.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { EncodedParser, type EncodedTree } from '../parser.ts';
import { BigramExplainer } from './bigram-explainer.ts';
import { type ArcEstimate, type BigramModel, bigramSettings, columnsUsed } from './bigram-model.ts';
import { arcKeys, InterpolatedEstimate } from './interpolated.ts';
import { Labels, labelKeys } from './labels.ts';
import { encodedColumns } from './patterns.ts';
import { ZemanEstimate, zemanColumns } from './zeman.ts';

/**
 * The greedy decoder of Zeman (1998), which adds the best allowed arc until the tree is complete. An arc
 * is allowed if its dependent has no head yet and the tree stays projective. A forbidden arc stays forbidden, so
 * every dependent keeps its best allowed head until that is forbidden.
 *
 * A token without a head always has an allowed arc: from an end of the innermost arc over it or, if there is
 * none, from the root or the nearest token under no arc.
 *
 * `takesOne[i]`: 1 if token i should take one dependent only; it gets more only if they have no other possible
 * head. Ties: the arc with the lowest dependent, then the lowest head.
 */
export class GreedyDecoder implements Decoder {
  readonly name = 'greedy';
  readonly isProjective = true;
  private readonly singleRoot: boolean;
  private scores: Float32Array<ArrayBufferLike> = new Float32Array(0);
  private heads: Int32Array<ArrayBufferLike> = new Int32Array(0);
  private n = 0;
  /** By token: the best head not known to be forbidden, and its score; −1 once attached. */
  private best = new Int32Array(0);
  private bestScore = new Float64Array(0);
  /** By token: the leftmost and rightmost tokens with which it shares an arc; without arcs, itself. */
  private leftmost = new Int32Array(0);
  private rightmost = new Int32Array(0);
  private dependents = new Int32Array(0);

  constructor(
    { singleRoot }: DecoderOptions,
    private readonly takesOne?: Uint8Array,
  ) {
    this.singleRoot = singleRoot;
  }

  decode(scores: Float32Array, n: number, heads: Int32Array): void {
    this.scores = scores;
    this.heads = heads;
    this.n = n;
    if (this.best.length <= n) this.reserve(2 * n + 1);
    heads.fill(-1, 0, n + 1);
    this.dependents.fill(0, 0, n + 1);
    for (let i = 0; i <= n; i++) {
      this.leftmost[i] = i;
      this.rightmost[i] = i;
    }
    for (let d = 1; d <= n; d++) this.chooseHead(d);
    for (let added = 0; added < n; added++) this.addBest();
  }

  private reserve(size: number): void {
    this.best = new Int32Array(size);
    this.bestScore = new Float64Array(size);
    this.leftmost = new Int32Array(size);
    this.rightmost = new Int32Array(size);
    this.dependents = new Int32Array(size);
  }

  private addBest(): void {
    const { best, bestScore } = this;
    for (;;) {
      const d = this.bestDependent();
      const h = best[d];
      if (this.isAllowed(h, d) && this.score(h, d) === bestScore[d]) {
        best[d] = -1;
        this.add(h, d);
        return;
      }
      this.chooseHead(d);
    }
  }

  private add(h: number, d: number): void {
    this.heads[d] = h;
    this.dependents[h]++;
    for (const [i, j] of [
      [h, d],
      [d, h],
    ]) {
      this.leftmost[i] = Math.min(this.leftmost[i], j);
      this.rightmost[i] = Math.max(this.rightmost[i], j);
    }
  }

  /** Returns the dependent whose best arc has the highest score. */
  private bestDependent(): number {
    const { best, bestScore, n } = this;
    let highest = 0;
    for (let d = 1; d <= n; d++)
      if (best[d] !== -1 && (highest === 0 || bestScore[d] > bestScore[highest])) highest = d;
    return highest;
  }

  private chooseHead(d: number): void {
    const { best, bestScore, n } = this;
    best[d] = -1;
    for (let h = 0; h <= n; h++) {
      if (h === d) continue;
      const score = this.score(h, d);
      if ((best[d] === -1 || score > bestScore[d]) && this.isAllowed(h, d)) {
        best[d] = h;
        bestScore[d] = score;
      }
    }
  }

  private score(h: number, d: number): number {
    const score = this.scores[h * (this.n + 1) + d];
    return this.takesOne?.[h] === 1 && this.dependents[h] > 0 ? score - TAKEN_PENALTY : score;
  }

  private isAllowed(h: number, d: number): boolean {
    if (h === 0 && this.singleRoot && this.dependents[0] > 0) return false;
    // A head under an arc of its own dependent could not get a head from outside.
    if (h < d ? this.leftmost[d] < h : this.rightmost[d] > h) return false;
    const left = Math.min(h, d);
    const right = Math.max(h, d);
    for (let i = left + 1; i < right; i++)
      if (this.leftmost[i] < left || this.rightmost[i] > right) return false;
    // Refuses cycles, and ancestors of h under the arc for the same reason as above.
    for (let i = h; i > 0; i = this.heads[i]) if (i === d || (left < i && i < right)) return false;
    return true;
  }
}

/** The penalty of an arc to a head that already has its one dependent: more than any difference of scores. */
const TAKEN_PENALTY = 1e9;

/** A parser that scores arcs by counts, finds the best tree with a decoder, and labels its arcs by counts. */
export class BigramParser extends EncodedParser {
  readonly paradigm = 'bigram';
  private readonly decoder: Decoder;
  private readonly arcConfidences: ArcConfidences;
  private scoreMatrix = new Float32Array(0);

  constructor(
    private readonly model: BigramModel,
    private readonly estimate: ArcEstimate,
    private readonly labels: Labels,
  ) {
    const { decoder, singleRoot, maxLength } = model.settings;
    super(model.numbering, columnsUsed(model), maxLength);
    this.decoder =
      decoder === 'greedy'
        ? new GreedyDecoder({ singleRoot }, estimate.takesOne)
        : createDecoder(decoder, { singleRoot });
    this.arcConfidences = new ArcConfidences({ singleRoot, isProjective: this.decoder.isProjective });
  }

  static load(file: ModelReader): BigramParser {
    const settings = bigramSettings(file.fields('bigram').fields('settings'));
    const columns = encodedColumns(settings.tags);
    const model = { settings, numbering: loadNumbering(file, 'bigram', settings, columns) };
    const estimate =
      settings.estimate === 'zeman'
        ? ZemanEstimate.load(zemanColumns(model), settings, file)
        : InterpolatedEstimate.load(arcKeys(model), file);
    const labels = Labels.load(labelKeys(model), model.numbering.candidates, file);
    return new BigramParser(model, estimate, labels);
  }

  save(file: ModelWriter): void {
    const { settings } = this.model;
    file.header.bigram = { settings, ...saveNumbering(this.numbering, file) };
    this.estimate.save(file);
    this.labels.save(file);
  }

  /** Returns scores: (n + 1) × (n + 1), row = head; log probabilities or log odds, up to a constant per dependent. */
  scores(sentence: Sentence): Float32Array {
    const scores = new Float32Array((sentence.length + 1) ** 2);
    this.estimate.score(this.numbering.encoder.encode(sentence), scores);
    return scores;
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): BigramExplanation {
    const { model, estimate, labels, decoder } = this;
    const parts = { model, estimate, labels, decoder, scores: this.scores(sentence) };
    return new BigramExplainer(parts, sentence, this.built(sentence), request).explain();
  }

  protected fillTree(sentence: EncodedSentence, tree: EncodedTree, confidences?: Float64Array): void {
    findHeadsInChunks(sentence, this.maxLength, tree.heads, (chunk, heads, before) => {
      const size = (chunk.length + 1) ** 2;
      if (this.scoreMatrix.length < size) this.scoreMatrix = new Float32Array(2 * size);
      this.estimate.score(chunk, this.scoreMatrix);
      this.decoder.decode(this.scoreMatrix, chunk.length, heads);
      if (confidences === undefined) return;
      this.arcConfidences.fill(this.scoreMatrix, chunk.length, 1, heads, confidences.subarray(before));
    });
    this.labels.find(sentence, tree.heads, tree.labels);
  }
}
