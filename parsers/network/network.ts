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
import { type EmbeddedField, NO_EMBEDDING } from '../../src/learn/network/layers/embeddings.ts';
import type { InputFields, InputRows, SideInput } from '../../src/learn/network/layers/input-layer.ts';
import { NetworkMemory } from '../../src/learn/network/memory.ts';
import { Parameters, type Shape } from '../../src/learn/network/parameters.ts';
import { SentenceLayers } from '../../src/learn/network/sentence-layers.ts';
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

/** What a network reads and finds: the numbers of values and labels, and inputs beside the learnt embeddings. */
export interface NetworkVocabulary extends Pick<Numbering, 'encoder' | 'labels'> {
  readonly beside: readonly SideInput[];
}

export function shapesOf(settings: NetworkSettings, vocabulary: NetworkVocabulary): Shape[] {
  const inputs = 2 * settings.units;
  return [
    ...SentenceLayers.shapes(settings, inputsOf(settings, vocabulary)),
    ...ArcScorer.shapes(inputs),
    ...LabelScorer.shapes(inputs, vocabulary.labels.length),
  ];
}

function inputsOf({ columns }: NetworkSettings, { encoder, beside }: NetworkVocabulary): InputFields {
  return { fields: embeddedFields(columns, encoder), beside };
}

/** A network that reads a sentence, and scores its arcs and the labels of a tree's arcs. */
export class Network {
  readonly parameters: Parameters;
  readonly arcs: ArcScorer;
  readonly labels: LabelScorer;
  private readonly sentences: SentenceLayers;
  private readonly tokenValues: TokenValues;
  private rows!: InputRows;

  /** @param isTrained makes room for what training needs, too */
  constructor(settings: NetworkSettings, vocabulary: NetworkVocabulary, isTrained: boolean) {
    const tokens = settings.maxLength + 1;
    const memory = new NetworkMemory();
    this.parameters = new Parameters(memory, shapesOf(settings, vocabulary), isTrained);
    const inputs = inputsOf(settings, vocabulary);
    this.sentences = new SentenceLayers(memory, this.parameters, settings, inputs, isTrained);
    this.arcs = new ArcScorer(memory, this.parameters, tokens, isTrained);
    this.labels = new LabelScorer(memory, this.parameters, tokens, vocabulary.labels.length, isTrained);
    this.tokenValues = new TokenValues(settings.columns, vocabulary.encoder);
    memory.allocate();
  }

  initialize(random: Random): void {
    this.parameters.draw(random);
    this.sentences.initialize();
  }

  /** Reads a sentence and scores its arcs; `random` draws the dropout masks, in training. */
  read(sentence: EncodedSentence, random?: Random): void {
    const tokens = sentence.length + 1;
    this.rows = { values: this.tokenValues.read(sentence), tokens, forms: sentence.forms };
    this.sentences.forward(this.rows, random);
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
    sentences.backward(this.rows);
  }
}

/** The scores of a trained network, as decoders take them. */
export class SentenceScorer {
  /** The sentence last read: (n + 1) × (n + 1), row = head. */
  scores: Float32Array = new Float32Array(0);
  private readonly network: Network;

  constructor(settings: NetworkSettings, vocabulary: NetworkVocabulary, weights: Float32Array) {
    this.network = new Network(settings, vocabulary, false);
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
