import { ArcConfidences } from '../../src/decode/arc-confidences.ts';
import type { Decoder } from '../../src/decode/decoder.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { loadNumbering, saveNumbering } from '../../src/encoding/numbering.ts';
import type { BigramExplanation } from '../../src/explain/matrix.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { EncodedParser, type EncodedTree } from '../encoded-parser.ts';
import { BigramExplainer } from './bigram-explainer.ts';
import { type ArcEstimate, type BigramModel, bigramSettings, columnsLookedAt } from './bigram-model.ts';
import { createGreedy } from './greedy.ts';
import { arcKeys, InterpolatedEstimate } from './interpolated.ts';
import { Labels, labelKeys } from './labels.ts';
import { columnsRead } from './patterns.ts';
import { ZemanEstimate, zemanColumns } from './zeman.ts';

/** Counts give every arc a probability, a decoder finds the best tree, and counts label it. */
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
    super(model.numbering, columnsLookedAt(model), maxLength);
    this.decoder =
      decoder === 'greedy'
        ? createGreedy({ singleRoot }, estimate.takesOne)
        : createDecoder(decoder, { singleRoot });
    this.arcConfidences = new ArcConfidences({ singleRoot, isProjective: this.decoder.isProjective });
  }

  static load(file: ModelReader): BigramParser {
    const settings = bigramSettings(file.fields('bigram').fields('settings'));
    const columns = columnsRead(settings.tags);
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

  /** scores: (n + 1) × (n + 1), row = head: log probabilities or odds, up to a constant per dependent. */
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

  protected override buildTree(sentence: EncodedSentence, confidences?: Float64Array): EncodedTree {
    const tree = this.roomFor(sentence.length);
    findHeadsInChunks(sentence, this.maxLength, tree.heads, (chunk, heads, before) => {
      const size = (chunk.length + 1) ** 2;
      if (this.scoreMatrix.length < size) this.scoreMatrix = new Float32Array(2 * size);
      this.estimate.score(chunk, this.scoreMatrix);
      this.decoder.decode(this.scoreMatrix, chunk.length, heads);
      if (confidences === undefined) return;
      this.arcConfidences.fill(this.scoreMatrix, chunk.length, 1, heads, confidences.subarray(before));
    });
    this.labels.find(sentence, tree.heads, tree.labels);
    return tree;
  }
}
