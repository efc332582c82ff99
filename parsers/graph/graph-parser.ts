import { checkTreeCount } from '../../src/checks.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { loadNumbering, saveNumbering } from '../../src/encoding/numbering.ts';
import { UsageError } from '../../src/errors.ts';
import type { GraphExplanation } from '../../src/explain/matrix.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { EncodedParser, type EncodedTree, type RankedParse } from '../parser.ts';
import { GraphExplainer } from './explain/graph-explainer.ts';
import { columnsInUse } from './features/templates.ts';
import { GraphModel, type GraphWeights, type ScoreScales } from './graph-model.ts';
import { graphSettings } from './settings.ts';

/** Reads a saved graph parser. */
export function readGraph(file: ModelReader) {
  const fields = file.fields('graph');
  const settings = graphSettings(fields.fields('settings'));
  const columns = columnsInUse(settings.templates, settings.tags);
  const numbering = loadNumbering(file, 'graph', settings, columns);
  const weightsOf = (name: string) => file.section(name, 'int16', { isHashed: true });
  const parts = settings.order === undefined ? undefined : weightsOf('parts');
  const scales = fields.has('scales') ? savedScales(fields.fields('scales')) : EARLIER_SCALES;
  const weights = { arcs: weightsOf('arcs'), labels: weightsOf('labels'), parts, scales };
  return { settings, numbering, weights };
}

/** The scales of models that were saved before these held them. */
const EARLIER_SCALES: ScoreScales = { arcs: 1 / 16_384, parts: 1 / 16_384 };

function savedScales(fields: HeaderFields): ScoreScales {
  const scale = (name: string) => fields.number(name, Number.MIN_VALUE, 1);
  return { arcs: scale('arcs'), parts: fields.has('parts') ? scale('parts') : undefined };
}

/** A trained graph-based parser (McDonald, Crammer & Pereira 2005): finds the best tree, then its labels. */
export class GraphParser extends EncodedParser {
  readonly paradigm = 'graph';

  constructor(
    private readonly model: GraphModel,
    private readonly weights: GraphWeights,
  ) {
    const { templates, tags, maxLength, guides } = model.settings;
    super(model.numbering, columnsInUse(templates, tags), maxLength, guides);
  }

  static load(file: ModelReader): GraphParser {
    const { settings, numbering, weights } = readGraph(file);
    return new GraphParser(new GraphModel({ settings, numbering }), weights);
  }

  save(file: ModelWriter): void {
    const { settings } = this.model;
    const { arcs, labels, parts, scales } = this.weights;
    file.header.graph = { settings, scales, ...saveNumbering(this.numbering, file) };
    file.section('arcs', arcs);
    file.section('labels', labels);
    if (parts !== undefined) file.section('parts', parts);
  }

  /** First-order scores: (length + 1) × (length + 1), row = head. */
  scores(sentence: Sentence): Float32Array {
    const { length } = sentence;
    return this.model.score(this.encode(sentence), this.weights.arcs).slice(0, (length + 1) ** 2);
  }

  /** Throws `UsageError` for a higher-order model. */
  nBest(sentence: Sentence, k: number): RankedParse[] {
    checkTreeCount(k);
    if (this.model.higherOrder !== undefined) {
      throw new UsageError('a higher-order graph parser finds only the best tree; k best trees need order 1');
    }
    if (sentence.length > this.maxLength) return [this.parse(sentence)];
    const encoded = this.encode(sentence);
    return this.ranked(encoded, this.model.bestTrees(encoded, this.weights, k));
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): GraphExplanation {
    return new GraphExplainer(this.model, this.weights, sentence, this.built(sentence), request).explain();
  }

  protected fillTree(sentence: EncodedSentence, tree: EncodedTree, confidences?: Float64Array): void {
    this.model.findHeads(sentence, this.weights, tree.heads, confidences);
    this.model.findLabels(sentence, this.weights.labels, tree.heads, tree.labels);
  }
}
