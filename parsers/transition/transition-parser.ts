import { checkTreeCount } from '../../src/checks.ts';
import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { loadNumbering, saveNumbering } from '../../src/encoding/numbering.ts';
import { UsageError } from '../../src/errors.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { TransitionExplanation } from '../../src/explain/steps.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { EncodedTree, ParserImplementation, RankedParse } from '../parser.ts';
import { byProbability, EncodedParser } from '../parser.ts';
import { BeamSearch, totalWeight } from './beam-search.ts';
import { TransitionExplainer } from './explain/transition-explainer.ts';
import { columnsRead, compileTemplates } from './features/templates.ts';
import { mirroredSentence, mirrorTree } from './mirror.ts';
import { DerivationConfidences, GreedySearch, type Search } from './search.ts';
import type { TransitionWeights } from './transition-model.ts';
import { TransitionModel, transitionSettings, weightCounts } from './transition-model.ts';

/** Reads a saved transition-based parser. */
export function readTransition(file: ModelReader) {
  const settings = transitionSettings(file.fields('transition').fields('settings'));
  const columns = columnsRead(compileTemplates(settings.templates, settings.tags));
  const numbering = loadNumbering(file, 'transition', settings, columns);
  const counts = weightCounts(settings.bits, numbering.labels.length);
  const weights = {
    actions: file.section('actions', 'int16', { length: counts.actions }),
    labels: file.section('labels', 'int16', { length: counts.labels }),
  };
  return { settings, numbering, weights };
}

/** A trained transition-based dependency parser. */
export class TransitionParser extends EncodedParser {
  readonly paradigm = 'transition';
  private readonly search: Search;
  private readonly confidences: DerivationConfidences;

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: TransitionWeights,
  ) {
    super(model.numbering, model.columns, model.settings.maxLength, model.settings.guides);
    const { beam } = model.settings;
    this.search = beam === 0 ? new GreedySearch(model) : new BeamSearch(model, beam);
    this.confidences = new DerivationConfidences(model);
  }

  static load(file: ModelReader): ParserImplementation {
    const { settings, numbering, weights } = readTransition(file);
    const parser = new TransitionParser(new TransitionModel({ settings, numbering }), weights);
    // Greedy search finds one tree only; in training, `nBest` still returns it, for the calibration of trees.
    return settings.beam > 1 ? parser : Object.assign(parser, { nBest: undefined });
  }

  save(file: ModelWriter): void {
    const { settings } = this.model;
    file.header.transition = { settings, ...saveNumbering(this.numbering, file) };
    file.section('actions', this.weights.actions);
    file.section('labels', this.weights.labels);
  }

  /** Returns the different trees of the last beam, the best first; throws `UsageError` for support vector machines. */
  nBest(sentence: Sentence, k: number): RankedParse[] {
    checkTreeCount(k);
    const { search, numbering, model } = this;
    const { length } = sentence;
    if (model.settings.beam === 0)
      throw new UsageError('a transition parser without a beam finds one tree only');
    if (length > this.maxLength) return [this.parse(sentence)];
    const encoded = this.encode(sentence);
    const isMirrored = model.settings.direction === 'right-to-left';
    const inOrder = isMirrored ? mirroredSentence(encoded) : encoded;
    search.best(inOrder, this.weights);
    const trees = new Map<string, EncodedTree & { probability: number }>();
    const survivors = search.survivors();
    const all = totalWeight(survivors);
    for (const { configuration, weight } of survivors) {
      const heads = Int32Array.from({ length: length + 1 }, (_, d) => (d === 0 ? -1 : configuration.head(d)));
      const labels = heads.map((head, d) =>
        d === 0 ? 0 : numbering.candidates.permitted(inOrder, head, d, configuration.label(d)),
      );
      const key = `${heads} ${labels}`;
      const known = trees.get(key);
      if (known !== undefined) known.probability += weight / all;
      else trees.set(key, { heads, labels, probability: weight / all });
    }
    const found = byProbability(trees.values()).slice(0, k);
    if (isMirrored) for (const tree of found) mirrorTree(tree, length);
    return this.ranked(encoded, found);
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): TransitionExplanation {
    const found = this.built(sentence);
    return new TransitionExplainer(this.model, this.weights, sentence, found, request).explain();
  }

  protected fillTree(sentence: EncodedSentence, tree: EncodedTree, confidences?: Float64Array): void {
    const isMirrored = this.model.settings.direction === 'right-to-left';
    const inOrder = isMirrored ? mirroredSentence(sentence) : sentence;
    findHeadsInChunks(inOrder, this.maxLength, tree.heads, (chunk, heads, before) => {
      const derivation = confidences && [];
      const found = this.search.best(chunk, this.weights, derivation);
      for (let d = 1; d <= chunk.length; d++) {
        heads[d] = found.head(d);
        tree.labels[before + d] = found.label(d);
      }
      if (derivation !== undefined)
        this.confidences.fill(chunk, this.weights, this.search, derivation, confidences!.subarray(before));
    });
    // Labels of arcs between tags never seen together, and of roots of chunks, may not suit their head.
    for (let d = 1; d <= sentence.length; d++)
      tree.labels[d] = this.numbering.candidates.permitted(inOrder, tree.heads[d], d, tree.labels[d]);
    if (isMirrored) {
      mirrorTree(tree, sentence.length);
      confidences?.subarray(1, sentence.length + 1).reverse();
    }
  }
}
