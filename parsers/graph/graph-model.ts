import { ArcFeatures } from './arc-features.ts';
import type { ColumnEncoder, ColumnName, EncodedSentence } from './columns.ts';
import type { Decoder } from './decoders/decoder.ts';
import { createDecoder } from './decoders/registry.ts';
import type { LabelCandidates } from './label-candidates.ts';
import { Labeller, labelBits } from './labeller.ts';
import type { GraphSettings } from './options.ts';
import { findHeadsInPieces } from './pieces.ts';
import {
  columnsOf,
  labelTemplates,
  morphologyLabelTemplates,
  stemTemplates,
  type Template,
  templateSets,
  templatesOver,
} from './templates.ts';

type TemplateSettings = Pick<GraphSettings, 'templates' | 'stem' | 'tags'>;

/** The templates that settings ask for. */
function arcTemplates({ templates, stem, tags }: TemplateSettings): Template[] {
  const names = templates.flatMap((set): readonly string[] => templateSets[set]);
  return templatesOver(stem === 'none' ? names : [...names, ...stemTemplates], tags);
}

function labelTemplatesOf({ templates, tags }: TemplateSettings): Template[] {
  const names = templates.includes('morphology')
    ? [...labelTemplates, ...morphologyLabelTemplates]
    : labelTemplates;
  return templatesOver(names, tags);
}

/** The columns that arcs and labels are judged by. */
export function columnsInUse(settings: TemplateSettings): ColumnName[] {
  return columnsOf([...arcTemplates(settings), ...labelTemplatesOf(settings)]);
}

/** A graph parser without its weights: from an encoded sentence to heads and labels, by whatever weights it is given. */
export class GraphModel {
  readonly arcs: ArcFeatures;
  readonly labelArcs: ArcFeatures;
  private readonly decoder: Decoder;
  readonly labeller: Labeller;
  private scores = new Float32Array(0);

  constructor(
    readonly settings: GraphSettings,
    readonly encoder: ColumnEncoder,
    readonly labels: readonly string[],
    readonly candidates: LabelCandidates,
  ) {
    const columns = encoder.names;
    const vocabularySizes = columns.map((_, c) => encoder.vocabulary(c).size);
    this.arcs = new ArcFeatures({
      templates: arcTemplates(settings),
      columns,
      vocabularySizes,
      distance: settings.distance,
      reservedBits: 0,
    });
    this.labelArcs = new ArcFeatures({
      templates: labelTemplatesOf(settings),
      columns,
      vocabularySizes,
      distance: 'none',
      reservedBits: labelBits(labels.length),
    });
    this.labeller = new Labeller(this.labelArcs, labels.length);
    this.decoder = createDecoder(settings.decoder, { singleRoot: settings.singleRoot });
  }

  /** Writes the best heads of a sentence into `heads` (length + 1 entries or more). */
  findHeads(sentence: EncodedSentence, weights: Int16Array, heads: Int32Array): void {
    const { maxLength } = this.settings;
    if (sentence.length <= maxLength) this.findTree(sentence, weights, heads);
    else
      findHeadsInPieces(sentence, maxLength, heads, (piece, found) => this.findTree(piece, weights, found));
  }

  /** The score matrix (decoders/decoder.ts) of a sentence, in a buffer that the next call uses again; leaves `arcs` prepared. */
  score(sentence: EncodedSentence, weights: Int16Array): Float32Array {
    const size = (sentence.length + 1) ** 2;
    if (this.scores.length < size) this.scores = new Float32Array(2 * size);
    this.arcs.prepare(sentence);
    this.arcs.score(weights, this.scores);
    return this.scores;
  }

  /** Writes the best tree of a score matrix into `heads`. */
  decode(scores: Float32Array, length: number, heads: Int32Array): void {
    this.decoder.decode(scores, length, heads);
  }

  private findTree(sentence: EncodedSentence, weights: Int16Array, heads: Int32Array): void {
    this.decode(this.score(sentence, weights), sentence.length, heads);
  }

  /** Writes the best labels of a tree's arcs into `labels`, as numbers. Leaves `labelArcs` prepared for the sentence. */
  findLabels(sentence: EncodedSentence, weights: Int16Array, heads: Int32Array, labels: Int32Array): void {
    this.labelArcs.prepare(sentence);
    for (let d = 1; d <= sentence.length; d++) {
      const h = heads[d];
      labels[d] = this.labeller.best(weights, h, d, this.candidates.of(sentence, h, d));
    }
  }
}
