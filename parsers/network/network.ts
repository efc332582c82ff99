import {
  type ColumnEncoder,
  columnStart,
  type EncodedColumn,
  type EncodedSentence,
} from '../../src/encoding/columns.ts';
import { isAttributeColumn } from '../../src/encoding/features.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { ROOT, UNKNOWN } from '../../src/encoding/vocabulary.ts';
import { exponential } from '../../src/learn/exponential.ts';
import { Dropout, INPUT_DROPOUT } from '../../src/learn/network/layers/dropout.ts';
import {
  type EmbeddedField,
  Embeddings,
  embeddingShapes,
  NO_EMBEDDING,
  widthOf,
} from '../../src/learn/network/layers/embeddings.ts';
import { BiLstm, biLstmShapes } from '../../src/learn/network/layers/lstm.ts';
import { type Floats, NetworkMemory } from '../../src/learn/network/memory.ts';
import { Parameters, type Shape } from '../../src/learn/network/parameters.ts';
import type { Random } from '../../src/learn/random.ts';
import type { TagColumn } from '../../src/treebank/columns/names.ts';
import { ArcScorer, LabelScorer } from './scorers.ts';
import type { NetworkSettings } from './settings.ts';

const SIZES = {
  form: 80,
  lemma: 48,
  upos: 24,
  xpos: 24,
  feats: 24,
  suffix3: 24,
  suffix2: 16,
  prefix3: 16,
  shape: 8,
} as const satisfies Partial<Record<EncodedColumn, number>>;

/** The columns that are embedded if the treebank fills them. */
export function columnsOver(tags: readonly TagColumn[]): EncodedColumn[] {
  const names = Object.keys(SIZES) as (keyof typeof SIZES)[];
  return names.filter((name) => (name !== 'upos' && name !== 'xpos') || tags.includes(name));
}

/** Columns with so many values that those seen only once share the embedding for unknown values. */
export const OPEN_COLUMNS = [
  'form',
  'lemma',
  'suffix3',
  'prefix3',
] as const satisfies readonly EncodedColumn[];

/** The length of the sum of the embeddings of a token's features, each with its attribute. */
const FEATURES_SIZE = 32;

/** The embedded fields of tokens: one for each column, and one for all columns of attributes together. */
function embeddedFields(columns: readonly EncodedColumn[], encoder: ColumnEncoder): EmbeddedField[] {
  const { whole, attributes } = byKind(columns);
  const sizeOf = (name: EncodedColumn) => encoder.vocabulary(encoder.names.indexOf(name)).size;
  const fields = whole.map((name) => {
    return { name, values: sizeOf(name), size: SIZES[name as keyof typeof SIZES] };
  });
  if (attributes.length === 0) return fields;
  const values = attributes.reduce((sum, name) => sum + sizeOf(name), 0);
  return [...fields, { name: 'features', values, size: FEATURES_SIZE, summed: attributes.length }];
}

function byKind(columns: readonly EncodedColumn[]) {
  const attributes = columns.filter(isAttributeColumn);
  return { whole: columns.filter((name) => !isAttributeColumn(name)), attributes };
}

/** Collects the values of the embedded columns of an encoded sentence: (n + 1) × columns, the root first. */
class TokenValues {
  private values = new Int32Array(0);
  private readonly places: readonly number[];
  /** For each column of an attribute, the embedding of each of its values in the table that they share. */
  private readonly embeddings: readonly Int32Array[];
  private readonly wholeCount: number;

  constructor(columns: readonly EncodedColumn[], encoder: ColumnEncoder) {
    const { whole, attributes } = byKind(columns);
    this.wholeCount = whole.length;
    this.places = [...whole, ...attributes].map((name) => encoder.names.indexOf(name));
    let before = 0;
    this.embeddings = this.places.slice(whole.length).map((place) => {
      const vocabulary = encoder.vocabulary(place);
      const embeddings = Int32Array.from({ length: vocabulary.size }, (_, value) => before + value);
      for (const value of [UNKNOWN, ROOT, vocabulary.idOf('_')]) embeddings[value] = NO_EMBEDDING;
      before += vocabulary.size;
      return embeddings;
    });
  }

  read({ length, columns }: EncodedSentence): Int32Array {
    const { places, embeddings, wholeCount } = this;
    const count = (length + 1) * places.length;
    if (this.values.length < count) this.values = new Int32Array(2 * count);
    for (let c = 0; c < places.length; c++) {
      const start = columnStart(length, places[c]);
      const own = c < wholeCount ? undefined : embeddings[c - wholeCount];
      for (let t = 0; t <= length; t++) {
        const value = columns[start + t];
        this.values[t * places.length + c] = own === undefined ? value : own[value];
      }
    }
    return this.values;
  }
}

const OUTPUT_DROPOUT = 0.33;

type Vocabularies = Pick<Numbering, 'encoder' | 'labels'>;

export function shapesOf(settings: NetworkSettings, { encoder, labels }: Vocabularies): Shape[] {
  const inputs = 2 * settings.units;
  return [
    ...SentenceLayers.shapes(settings, embeddedFields(settings.columns, encoder)),
    ...ArcScorer.shapes(inputs),
    ...LabelScorer.shapes(inputs, labels.length),
  ];
}

/** A network that reads a sentence, and scores its arcs and the labels of a tree's arcs. */
export class Network {
  readonly parameters: Parameters;
  readonly arcs: ArcScorer;
  readonly labels: LabelScorer;
  private readonly sentences: SentenceLayers;
  private readonly tokenValues: TokenValues;
  private values: Int32Array = new Int32Array(0);

  /** @param isTrained makes room for what training needs, too */
  constructor(settings: NetworkSettings, vocabularies: Vocabularies, isTrained: boolean) {
    const { encoder, labels } = vocabularies;
    const tokens = settings.maxLength + 1;
    const memory = new NetworkMemory();
    this.parameters = new Parameters(memory, shapesOf(settings, vocabularies), isTrained);
    const fields = embeddedFields(settings.columns, encoder);
    this.sentences = new SentenceLayers(memory, this.parameters, settings, fields, isTrained);
    this.arcs = new ArcScorer(memory, this.parameters, tokens, isTrained);
    this.labels = new LabelScorer(memory, this.parameters, tokens, labels.length, isTrained);
    this.tokenValues = new TokenValues(settings.columns, encoder);
    memory.allocate();
  }

  initialize(random: Random): void {
    this.parameters.draw(random);
    this.sentences.initialize();
  }

  /** Reads a sentence and scores its arcs; `random` draws the dropout masks, in training. */
  read(sentence: EncodedSentence, random?: Random): void {
    const tokens = sentence.length + 1;
    this.values = this.tokenValues.read(sentence);
    this.sentences.forward(this.values, tokens, random);
    this.arcs.forward(this.sentences.output, tokens);
  }

  scoreLabels(heads: Int32Array, length: number): void {
    this.labels.forward(this.sentences.output, heads, length + 1);
  }

  backward(heads: Int32Array, length: number): void {
    const tokens = length + 1;
    const { sentences, arcs, labels } = this;
    sentences.clearGradients(tokens);
    labels.backward(sentences.output, sentences.outputGradients, heads, tokens);
    arcs.backward(sentences.output, sentences.outputGradients, tokens);
    sentences.backward(this.values, tokens);
  }
}

/** The scores of a trained network, as decoders take them. */
export class SentenceScorer {
  /** The sentence last read: (n + 1) × (n + 1), row = head. */
  scores: Float32Array = new Float32Array(0);
  private readonly network: Network;

  constructor(settings: NetworkSettings, numbering: Numbering, weights: Float32Array) {
    this.network = new Network(settings, numbering, false);
    this.network.parameters.weights.values.set(weights);
  }

  read(sentence: EncodedSentence): void {
    this.network.read(sentence);
    const size = sentence.length + 1;
    if (this.scores.length < size * size) this.scores = new Float32Array(2 * size * size);
    const { scores } = this;
    const { values } = this.network.arcs.scores;
    const rowLength = ArcScorer.rowLength(size);
    for (let d = 1; d < size; d++) {
      for (let h = 0; h < size; h++) scores[h * size + d] = values[d * rowLength + h];
    }
  }

  /** Scores the labels of the arcs of a tree over the sentence last read, for `bestLabel`. */
  scoreLabels(heads: Int32Array, length: number): void {
    this.network.scoreLabels(heads, length);
  }

  /** The label with the best score for the arc into d; of equal ones the first. */
  bestLabel(labels: Int32Array, d: number): number {
    const { scores, rowLength } = this.network.labels;
    const row = d * rowLength;
    let best = labels[0];
    for (const label of labels) if (scores.values[row + label] > scores.values[row + best]) best = label;
    return best;
  }

  labelScores(heads: Int32Array, length: number, d: number): Float32Array {
    this.network.scoreLabels(heads, length);
    const { scores, rowLength } = this.network.labels;
    return scores.values.slice(d * rowLength, (d + 1) * rowLength);
  }

  probabilityOf(head: number, d: number, length: number): number {
    const { scores } = this;
    const size = length + 1;
    let sum = 0;
    for (let h = 0; h < size; h++) {
      if (h !== d) sum += exponential(scores[h * size + d] - scores[head * size + d]);
    }
    return 1 / sum;
  }
}

/** Encodes the tokens of a sentence in their context: embeddings, then stacked BiLSTMs (Kiperwasser & Goldberg 2016, §4). */
class SentenceLayers {
  private readonly embeddings: Embeddings;
  private readonly lstms: readonly BiLstm[];
  /** The length of a token's row before the first LSTM and after each. */
  private readonly widths: readonly number[];
  /** The input of each LSTM, and the output of the last. */
  private readonly rows: readonly Floats[];
  private readonly rowGradients: readonly Floats[] | undefined;
  private readonly dropouts: readonly Dropout[] | undefined;

  static shapes({ layers, units }: NetworkSettings, fields: readonly EmbeddedField[]): Shape[] {
    const ofLayers = Array.from({ length: layers }, (_, l) =>
      biLstmShapes(`layer-${l + 1}`, l === 0 ? widthOf(fields) : 2 * units, units),
    );
    return [...embeddingShapes(fields), ...ofLayers.flat()];
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    { layers, units, maxLength }: NetworkSettings,
    fields: readonly EmbeddedField[],
    isTrained: boolean,
  ) {
    const tokens = maxLength + 1;
    this.embeddings = new Embeddings(parameters, fields);
    this.lstms = Array.from(
      { length: layers },
      (_, l) => new BiLstm(memory, parameters, `layer-${l + 1}`, units, tokens),
    );
    this.widths = [widthOf(fields), ...this.lstms.map(() => 2 * units)];
    this.rows = this.widths.map((width) => memory.take(width * tokens));
    if (!isTrained) return;
    this.rowGradients = this.widths.map((width) => memory.take(width * tokens));
    this.dropouts = this.widths.map(
      (width, l) => new Dropout(memory, width, l === 0 ? INPUT_DROPOUT : OUTPUT_DROPOUT),
    );
  }

  /** The encoded tokens: (n + 1) × 2 units. */
  get output(): Floats {
    return this.rows.at(-1)!;
  }

  /** The gradients of the output, which scorers add to before `backward`. */
  get outputGradients(): Floats {
    return this.rowGradients!.at(-1)!;
  }

  initialize(): void {
    for (const lstm of this.lstms) lstm.initialize();
  }

  /** Fills `output`; `values`: tokens × fields, the root first. */
  forward(values: Int32Array, tokens: number, random?: Random): void {
    const { rows, lstms } = this;
    this.embeddings.forward(rows[0], values, tokens);
    for (let l = 0; l < rows.length; l++) {
      if (random !== undefined) {
        this.dropouts![l].draw(random);
        this.dropouts![l].apply(rows[l], tokens);
      }
      if (l < lstms.length) lstms[l].forward(rows[l + 1], rows[l], tokens);
    }
  }

  clearGradients(tokens: number): void {
    for (const [l, { values }] of this.rowGradients!.entries()) values.fill(0, 0, this.widths[l] * tokens);
  }

  backward(values: Int32Array, tokens: number): void {
    const { rows, lstms } = this;
    const gradients = this.rowGradients!;
    for (let l = rows.length - 1; l >= 0; l--) {
      this.dropouts![l].apply(gradients[l], tokens);
      if (l > 0) lstms[l - 1].backward(gradients[l], rows[l - 1], gradients[l - 1], tokens);
    }
    this.embeddings.backward(gradients[0], values, tokens);
  }
}
