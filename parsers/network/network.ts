import { type DecoderName, decoderNames } from '../../src/decode/registry.ts';
import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { columnStart, type EncodedSentence, isEncodedColumn } from '../../src/encoding/columns.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { exponential } from '../../src/learn/exponential.ts';
import { PairClassifier, PairScorer, type RowPairs } from '../../src/learn/network/layers/pair-scorers.ts';
import { TagScorer } from '../../src/learn/network/layers/tag-scorer.ts';
import type { NetworkMemory } from '../../src/learn/network/memory.ts';
import type { Shape } from '../../src/learn/network/parameters.ts';
import { layerSettings } from '../../src/learn/network/sentence-layers.ts';
import type { NetworkVocabulary, SentenceSettings } from '../../src/learn/network/sentence-network.ts';
import { SentenceNetwork } from '../../src/learn/network/sentence-network.ts';
import type { Random } from '../../src/learn/random.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import { morphologyColumns } from '../../src/treebank/columns/names.ts';

export function shapesOf(settings: NetworkSettings, vocabulary: NetworkVocabulary): Shape[] {
  const inputs = 2 * settings.units;
  return [
    ...SentenceNetwork.shapes(settings, vocabulary),
    ...PairScorer.shapes('arcs', inputs, settings.distances),
    ...PairClassifier.shapes('labels', inputs, vocabulary.labels.length),
    ...tasksOf(settings, vocabulary).flatMap(({ name, values }) => TagScorer.shapes(name, inputs, values)),
  ];
}

/** The columns that the network predicts: name of the scorer, index of the column in the encoder, vocabulary size. */
function tasksOf({ tagTask = [] }: NetworkSettings, { encoder }: NetworkVocabulary) {
  return tagTask.map((column) => {
    const place = encoder.names.indexOf(column);
    return { name: `tags.${column}`, place, values: encoder.vocabulary(place).strings().length };
  });
}

/**
 * Scores the arcs of a sentence, and the labels of a tree's arcs; inference is in 16 bits. Columns that it predicts as an
 * auxiliary task are scored from the first LSTM (Søgaard & Goldberg 2016).
 */
export class Network extends SentenceNetwork {
  /** Row = dependent, column = head. */
  readonly arcs: PairScorer;
  readonly labels: PairClassifier;
  /** Scorers of the columns that it predicts; `place`: index of the column in encoded sentences. */
  readonly taggers: readonly { readonly place: number; readonly scorer: TagScorer }[];
  private readonly tokens: Int32Array;

  /** @param isLearning true for training; false for parsing, with the weights of `setWeights` */
  constructor(
    settings: NetworkSettings,
    vocabulary: NetworkVocabulary,
    isLearning: boolean,
    within?: NetworkMemory,
  ) {
    super(settings, vocabulary, shapesOf(settings, vocabulary), isLearning, within);
    const tokens = settings.maxLength + 1;
    const distances = settings.distances ? 'root' : 'none';
    this.arcs = new PairScorer(this, 'arcs', tokens, distances);
    const most = { rows: tokens, pairs: tokens, classes: vocabulary.labels.length };
    this.labels = new PairClassifier(this, 'labels', most);
    this.taggers = tasksOf(settings, vocabulary).map(({ name, place, values }) => {
      return { place, scorer: new TagScorer(this, name, tokens, values) };
    });
    this.tokens = Int32Array.from({ length: tokens }, (_, t) => t);
    this.memory.allocate();
  }

  /** Encodes a sentence and scores its arcs and tags. @param random draws the dropout masks, in training */
  read(sentence: EncodedSentence, random?: Random): void {
    const tokens = this.encode(sentence, random);
    this.arcs.forward(this.sentences.output, tokens);
    for (const { scorer } of this.taggers) scorer.forward(this.sentences.firstOutput, tokens);
  }

  /** Writes the predicted tags of the sentence last read into the columns of a sentence, from token `before` + 1 on. */
  fillTags({ length, columns }: EncodedSentence, count: number, before = 0): void {
    for (const { place, scorer } of this.taggers) {
      const start = columnStart(length, place) + before;
      for (let t = 1; t <= count; t++) columns[start + t] = scorer.best(t);
    }
  }

  /** Scores the labels of a tree's arcs over the sentence last read. */
  scoreLabels(heads: Int32Array, length: number): void {
    this.labels.forward(this.sentences.output, length + 1, this.arcsOf(heads, length));
  }

  backward(heads: Int32Array, length: number): void {
    const tokens = length + 1;
    const { arcs, labels, learning: sentences } = this;
    sentences.clearGradients(tokens);
    labels.backward(sentences.output, sentences.outputGradients, tokens, this.arcsOf(heads, length));
    arcs.backward(sentences.output, sentences.outputGradients, tokens);
    for (const { scorer } of this.taggers)
      scorer.backward(sentences.firstOutput, sentences.firstGradients, tokens);
    sentences.backward(this.rows);
  }

  private arcsOf(heads: Int32Array, length: number): RowPairs {
    return { firsts: heads, seconds: this.tokens, from: 1, to: length + 1 };
  }
}

/** Scores sentences with a trained network, in the layout of the decoders. */
export class SentenceScorer extends Network {
  /** Arc scores of the sentence last read: (n + 1) × (n + 1), row = head. */
  scores: Float32Array = new Float32Array(0);

  constructor(settings: NetworkSettings, vocabulary: NetworkVocabulary, weights: Float32Array) {
    super(settings, vocabulary, false);
    this.setWeights(weights);
  }

  /** Encodes and scores a sentence; writes the predicted tags into it, which decide the labels that an arc may have. */
  override read(sentence: EncodedSentence): void {
    super.read(sentence);
    this.fillTags(sentence, sentence.length);
    const size = sentence.length + 1;
    if (this.scores.length < size * size) this.scores = new Float32Array(2 * size * size);
    const { scores } = this;
    const { values } = this.arcs.scores;
    const rowLength = PairScorer.rowLength(size);
    for (let d = 1; d < size; d++)
      for (let h = 0; h < size; h++) scores[h * size + d] = values[d * rowLength + h];
  }

  /** Returns the probability that all predicted tags of token t are correct, assuming independence. */
  certaintyOfTags(t: number): number {
    return this.taggers.reduce((product, { scorer }) => product * scorer.probability(t, scorer.best(t)), 1);
  }

  /** For each predicted column, its index in encoded sentences and its two most probable values for token t. */
  tagsOf(t: number) {
    return this.taggers.map(({ place, scorer }) => {
      const values = [scorer.best(t), scorer.second(t)].filter((value) => value !== undefined);
      return { place, values: values.map((value) => ({ value, p: scorer.probability(t, value) })) };
    });
  }

  /** Scores the labels of up to n + 1 other arcs, after `scoreLabels`; entry i of both lists is arc i. */
  scoreLabelsOf(heads: Int32Array, dependents: Int32Array): void {
    this.labels.classify({ firsts: heads, seconds: dependents, from: 0, to: heads.length });
  }

  /** Returns the best of some labels for an arc: the dependent d in a tree; the first of ties. */
  bestLabel(labels: Int32Array, arc: number): number {
    const { scores, rowLength } = this.labels;
    const row = arc * rowLength;
    let best = labels[0];
    for (const label of labels) if (scores.values[row + label] > scores.values[row + best]) best = label;
    return best;
  }

  /** The probabilities of some labels for an arc, if it has one of them. */
  labelProbabilities(labels: Int32Array, arc: number): Float64Array {
    const { scores, rowLength } = this.labels;
    const best = scores.values[arc * rowLength + this.bestLabel(labels, arc)];
    return normalized(
      Float64Array.from(labels, (label) => exponential(scores.values[arc * rowLength + label] - best)),
    );
  }

  labelScores(heads: Int32Array, length: number, d: number): Float32Array {
    this.scoreLabels(heads, length);
    const { scores, rowLength } = this.labels;
    return scores.values.slice(d * rowLength, (d + 1) * rowLength);
  }

  probabilityOf(head: number, d: number, length: number): number {
    const { scores } = this;
    const size = length + 1;
    let sum = 0;
    for (let h = 0; h < size; h++)
      if (h !== d) sum += exponential(scores[h * size + d] - scores[head * size + d]);
    return 1 / sum;
  }

  /** The probabilities of the heads 0 to n of token d. */
  headProbabilities(d: number, length: number): Float64Array {
    const { scores } = this;
    const size = length + 1;
    let best = 0;
    for (let h = 1; h < size; h++) if (h !== d && scores[h * size + d] > scores[best * size + d]) best = h;
    const odds = new Float64Array(size);
    for (let h = 0; h < size; h++)
      if (h !== d) odds[h] = exponential(scores[h * size + d] - scores[best * size + d]);
    return normalized(odds);
  }
}

function normalized(odds: Float64Array): Float64Array {
  const sum = odds.reduce((all, one) => all + one, 0);
  return odds.map((one) => one / sum);
}

export interface NetworkSettings extends NumberingSettings, SentenceSettings {
  readonly decoder: DecoderName;
  readonly singleRoot: boolean;
}

/** Reads the settings from a model's header; throws `InputError` if they are not valid. */
export function networkSettings(fields: HeaderFields): NetworkSettings {
  const columns = fields.texts('columns');
  if (!columns.every(isEncodedColumn)) fields.refuse('columns', 'names of columns');
  return {
    decoder: fields.choice('decoder', decoderNames),
    tags: tagsIn(fields),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    columns,
    distances: fields.has('distances') && fields.flag('distances'),
    tagTask: fields.has('tagTask') ? fields.choices('tagTask', morphologyColumns) : undefined,
    ...layerSettings(fields),
  };
}
