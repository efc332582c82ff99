import { checkTreeCount } from '../../src/checks.ts';
import type { Decoder } from '../../src/decode/decoder.ts';
import { kBestOf, treeProbability } from '../../src/decode/k-best.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { FIRST_ID } from '../../src/encoding/vocabulary.ts';
import type { NetworkExplanation } from '../../src/explain/matrix.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import { logarithm } from '../../src/learn/exponential.ts';
import { loadNetwork, type NetworkModel, saveNetwork } from '../../src/learn/network/network-model.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { MorphologyColumn } from '../../src/treebank/columns/names.ts';
import type { ColumnAlternative } from '../../src/treebank/columns/write.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { EncodedTree, Parse, ParseOptions, ProbableArcs, RankedParse } from '../parser.ts';
import { EncodedParser } from '../parser.ts';
import { NetworkExplainer } from './explainer.ts';
import { type NetworkSettings, networkSettings, SentenceScorer, shapesOf } from './network.ts';

/** Parses with a trained network: it scores all arcs, a decoder finds the best tree, then each arc gets its best label. */
export class NetworkParser extends EncodedParser {
  readonly paradigm = 'network';
  override readonly writes: readonly MorphologyColumn[] | undefined;
  private readonly scorer: SentenceScorer;
  private readonly decoder: Decoder;
  /** Confidences of the tags predicted for the last sentence, if requested. */
  private tagConfidences = new Float64Array(0);

  constructor(private readonly model: NetworkModel<NetworkSettings>) {
    const { settings, numbering, weights } = model;
    super(numbering, settings.columns, settings.maxLength);
    this.scorer = new SentenceScorer(settings, { ...numbering, extraInputs: model.extraInputs }, weights);
    this.writes = settings.tagTask;
    this.decoder = createDecoder(settings.decoder, { singleRoot: settings.singleRoot });
  }

  static load(file: ModelReader): NetworkParser {
    return new NetworkParser(readNetwork(file));
  }

  save(file: ModelWriter): void {
    saveNetwork(file, 'network', this.model);
  }

  override parse(sentence: Sentence, options: ParseOptions = {}): Parse {
    const tree = super.parse(sentence, options);
    const found = options.arcs ? { ...tree, arcs: this.arcsOf(sentence) } : tree;
    if (this.writes === undefined || !options.confidence) return found;
    const tags = this.tagConfidences;
    this.calibration?.tags?.apply(tags);
    return { ...found, columnConfidences: { tags } };
  }

  /** The probable arcs of the sentence parsed last; none of sentences parsed in chunks. */
  private arcsOf(sentence: Sentence): ProbableArcs | undefined {
    if (sentence.length > this.maxLength) return undefined;
    const encoded = this.encode(sentence);
    this.scorer.fillTags(encoded, sentence.length);
    return probableArcs(this.scorer, this.numbering, encoded);
  }

  nBest(sentence: Sentence, k: number): RankedParse[] {
    checkTreeCount(k);
    const { length } = sentence;
    if (length > this.maxLength) return [this.parse(sentence)];
    const { scorer, decoder, model, numbering } = this;
    const encoded = this.encode(sentence);
    scorer.read(encoded);
    const trees = kBestOf(decoder, model.settings)(scorer.scores, length, k).map(({ heads }) => {
      scorer.scoreLabels(heads, length);
      const labels = heads.map((head, d) =>
        d === 0 ? 0 : scorer.bestLabel(numbering.candidates.of(encoded, head, d), d),
      );
      return { heads, labels, probability: treeProbability(heads, scorer.scores, length, 1) };
    });
    return this.ranked(encoded, trees);
  }

  /** The predicted tags, and variants with the second best value of one column; empty for sentences parsed in chunks. */
  alternatives(sentence: Sentence): ColumnAlternative[][] {
    const { length } = sentence;
    const found: ColumnAlternative[][] = Array.from({ length: length + 1 }, () => []);
    if (length > this.maxLength) return found;
    this.scorer.read(this.encode(sentence));
    for (let d = 1; d <= length; d++) found[d] = this.alternativesOf(d);
    return found;
  }

  private alternativesOf(d: number): ColumnAlternative[] {
    const { encoder } = this.numbering;
    const columns = this.scorer.tagsOf(d).map(({ place, values }) => {
      const strings = encoder.vocabulary(place).strings();
      return values.map(({ value, p }) => ({
        name: encoder.names[place],
        text: strings[value - FIRST_ID],
        p,
      }));
    });
    /** @param other index of the column that takes its second best value; −1: none */
    const variant = (other: number): ColumnAlternative => {
      const chosen = columns.map((values, c) => values[c === other ? 1 : 0]);
      return {
        columns: Object.fromEntries(chosen.map(({ name, text }) => [name, text])),
        score: chosen.reduce((sum, { p }) => sum + logarithm(p), 0),
      };
    };
    const others = [...columns.keys()].filter((c) => columns[c].length > 1).map(variant);
    return [variant(-1), ...others.sort((a, b) => b.score - a.score)];
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): NetworkExplanation {
    const { model, numbering, scorer, decoder } = this;
    const found = this.built(sentence);
    const parts = { settings: model.settings, numbering, scorer, isProjective: decoder.isProjective };
    return new NetworkExplainer(parts, sentence, found, request).explain();
  }

  protected fillTree(sentence: EncodedSentence, tree: EncodedTree, confidences?: Float64Array): void {
    const { scorer, decoder, numbering } = this;
    if (confidences !== undefined && this.writes !== undefined)
      this.tagConfidences = new Float64Array(sentence.length + 1);
    findHeadsInChunks(sentence, this.maxLength, tree.heads, (chunk, heads, before) => {
      const { length } = chunk;
      scorer.read(chunk);
      if (chunk !== sentence) scorer.fillTags(sentence, length, before);
      decoder.decode(scorer.scores, length, heads);
      scorer.scoreLabels(heads, length);
      for (let d = 1; d <= length; d++) {
        tree.labels[before + d] = scorer.bestLabel(numbering.candidates.of(chunk, heads[d], d), d);
        if (confidences === undefined) continue;
        confidences[before + d] = scorer.probabilityOf(heads[d], d, length);
        if (this.writes !== undefined) this.tagConfidences[before + d] = scorer.certaintyOfTags(d);
      }
    });
    const { heads, labels } = tree;
    // Joining chunks makes arcs between them, whose labels may be impossible for the head's tag.
    for (let d = 1; sentence.length > this.maxLength && d <= sentence.length; d++)
      labels[d] = numbering.candidates.permitted(sentence, heads[d], d, labels[d]);
  }
}

export const readNetwork = (file: ModelReader): NetworkModel<NetworkSettings> =>
  loadNetwork(file, 'network', networkSettings, shapesOf);

/** Arcs with a lower probability are left out. */
const LEAST_PROBABILITY = 0.01;

/** The arcs of the sentence parsed last: probability of the head × probability of the label given the head. */
function probableArcs(
  scorer: SentenceScorer,
  { candidates, labels: names }: Numbering,
  sentence: EncodedSentence,
): ProbableArcs {
  const { length } = sentence;
  const first = new Int32Array(length + 2);
  const heads: number[] = [];
  const labels: string[] = [];
  const probabilities: number[] = [];
  const likely = likelyHeads(scorer, length);
  // The scorer labels one arc per token at a time.
  for (let from = 0; from < likely.heads.length; from += length + 1) {
    const [arcHeads, dependents, ofHeads] = [likely.heads, likely.dependents, likely.probabilities].map(
      (all) => all.slice(from, from + length + 1),
    );
    scorer.scoreLabelsOf(Int32Array.from(arcHeads), Int32Array.from(dependents));
    for (const [row, head] of arcHeads.entries()) {
      const possible = candidates.of(sentence, head, dependents[row]);
      const ofLabels = scorer.labelProbabilities(possible, row);
      for (const [i, label] of possible.entries()) {
        const probability = ofHeads[row] * ofLabels[i];
        if (probability < LEAST_PROBABILITY) continue;
        heads.push(head);
        labels.push(names[label]);
        probabilities.push(probability);
      }
      first[dependents[row] + 1] = heads.length;
    }
  }
  // Where a token has no arc, its list is empty.
  for (let d = 1; d <= length; d++) first[d + 1] = Math.max(first[d], first[d + 1]);
  return { first, heads: Int32Array.from(heads), labels, probabilities: Float64Array.from(probabilities) };
}

function likelyHeads(scorer: SentenceScorer, length: number) {
  const heads: number[] = [];
  const dependents: number[] = [];
  const probabilities: number[] = [];
  for (let d = 1; d <= length; d++) {
    for (const [head, probability] of scorer.headProbabilities(d, length).entries()) {
      if (probability < LEAST_PROBABILITY) continue;
      heads.push(head);
      dependents.push(d);
      probabilities.push(probability);
    }
  }
  return { heads, dependents, probabilities };
}
