import type { EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { exponential } from '../../src/learn/exponential.ts';
import type { InputFields, InputRows, SideInput } from '../../src/learn/network/layers/input-layer.ts';
import { PairClassifier, PairScorer, type RowPairs } from '../../src/learn/network/layers/pair-scorers.ts';
import { NetworkMemory } from '../../src/learn/network/memory.ts';
import { Parameters, type Shape } from '../../src/learn/network/parameters.ts';
import { QuantizedLayers, QuantizedParameters } from '../../src/learn/network/quantized-layers.ts';
import { SentenceLayers } from '../../src/learn/network/sentence-layers.ts';
import { embeddedFields, TokenValues } from '../../src/learn/network/token-values.ts';
import type { Random } from '../../src/learn/random.ts';
import type { NetworkSettings } from './settings.ts';

/** What a network reads and finds: the numbers of values and labels, and inputs beside the learnt embeddings. */
export interface NetworkVocabulary extends Pick<Numbering, 'encoder' | 'labels'> {
  readonly beside: readonly SideInput[];
}

export function shapesOf(settings: NetworkSettings, vocabulary: NetworkVocabulary): Shape[] {
  const inputs = 2 * settings.units;
  return [
    ...SentenceLayers.shapes(settings, inputsOf(settings, vocabulary)),
    ...PairScorer.shapes('arcs', inputs),
    ...PairClassifier.shapes('labels', inputs, vocabulary.labels.length),
  ];
}

function inputsOf({ columns }: NetworkSettings, { encoder, beside }: NetworkVocabulary): InputFields {
  return { fields: embeddedFields(columns, encoder), beside };
}

/** A network that reads a sentence, and scores its arcs and the labels of a tree's arcs; trained, in 16 bits. */
export class Network {
  readonly parameters: Parameters;
  /** Row = dependent, column = head. */
  readonly arcs: PairScorer;
  readonly labels: PairClassifier;
  private readonly sentences: SentenceLayers | QuantizedLayers;
  private readonly quantized: QuantizedParameters | undefined;
  private readonly tokenValues: TokenValues;
  private readonly tokens: Int32Array;
  private rows!: InputRows;

  /** @param isLearning for training; else for parsing, with weights that `setWeights` sets */
  constructor(settings: NetworkSettings, vocabulary: NetworkVocabulary, isLearning: boolean) {
    const tokens = settings.maxLength + 1;
    const memory = new NetworkMemory();
    this.parameters = new Parameters(memory, shapesOf(settings, vocabulary), isLearning);
    const inputs = inputsOf(settings, vocabulary);
    const { parameters } = this;
    this.quantized = isLearning ? undefined : new QuantizedParameters(memory, parameters);
    this.sentences =
      this.quantized === undefined
        ? new SentenceLayers(memory, parameters, settings, inputs, true)
        : new QuantizedLayers(this.quantized, settings, inputs);
    const rowLayers = this.quantized && ((name: string) => this.quantized!.dense(name));
    this.arcs = new PairScorer(memory, parameters, 'arcs', tokens, isLearning, rowLayers);
    const most = { rows: tokens, pairs: tokens, classes: vocabulary.labels.length };
    this.labels = new PairClassifier(memory, parameters, 'labels', most, isLearning, rowLayers);
    this.tokens = Int32Array.from({ length: tokens }, (_, t) => t);
    this.tokenValues = new TokenValues(settings.columns, vocabulary.encoder);
    memory.allocate();
  }

  initialize(random: Random): void {
    this.parameters.draw(random);
    (this.sentences as SentenceLayers).initialize();
  }

  setWeights(weights: Float32Array): void {
    this.parameters.weights.values.set(weights);
    this.quantized?.fill();
  }

  /** Reads a sentence and scores its arcs; `random` draws the dropout masks, in training. */
  read(sentence: EncodedSentence, random?: Random): void {
    const tokens = sentence.length + 1;
    this.rows = { values: this.tokenValues.read(sentence), tokens, forms: sentence.forms };
    this.sentences.forward(this.rows, random);
    this.arcs.forward(this.sentences.output, tokens);
  }

  scoreLabels(heads: Int32Array, length: number): void {
    this.labels.forward(this.sentences.output, length + 1, this.arcsOf(heads, length));
  }

  backward(heads: Int32Array, length: number): void {
    const tokens = length + 1;
    const { arcs, labels } = this;
    const sentences = this.sentences as SentenceLayers;
    sentences.clearGradients(tokens);
    const pairs = this.arcsOf(heads, length);
    labels.backward(sentences.output, sentences.outputGradients, tokens, pairs);
    arcs.backward(sentences.output, sentences.outputGradients, tokens);
    sentences.backward(this.rows);
  }

  private arcsOf(heads: Int32Array, length: number): RowPairs {
    return { firsts: heads, seconds: this.tokens, from: 1, to: length + 1 };
  }
}

/** The scores of a trained network, as decoders take them. */
export class SentenceScorer {
  /** The sentence last read: (n + 1) × (n + 1), row = head. */
  scores: Float32Array = new Float32Array(0);
  private readonly network: Network;

  constructor(settings: NetworkSettings, vocabulary: NetworkVocabulary, weights: Float32Array) {
    this.network = new Network(settings, vocabulary, false);
    this.network.setWeights(weights);
  }

  read(sentence: EncodedSentence): void {
    this.network.read(sentence);
    const size = sentence.length + 1;
    if (this.scores.length < size * size) this.scores = new Float32Array(2 * size * size);
    const { scores } = this;
    const { values } = this.network.arcs.scores;
    const rowLength = PairScorer.rowLength(size);
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
