import { MOST_CHUNK } from '../../../src/encoding/chunks.ts';
import { type EncodedSentence, isEncodedColumn } from '../../../src/encoding/columns.ts';
import type { NumberingSettings } from '../../../src/encoding/numbering.ts';
import { PairClassifier, PairScorer, type RowPairs } from '../../../src/learn/network/layers/pair-scorers.ts';
import { TagScorer } from '../../../src/learn/network/layers/tag-scorer.ts';
import type { Floats, NetworkMemory } from '../../../src/learn/network/memory.ts';
import type { Shape } from '../../../src/learn/network/parameters.ts';
import { layerSizes } from '../../../src/learn/network/sentence-layers.ts';
import {
  type NetworkVocabulary,
  SentenceNetwork,
  type SentenceSettings,
} from '../../../src/learn/network/sentence-network.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { HeaderFields } from '../../../src/model/header-fields.ts';
import { tagSources } from '../pcfg-parser.ts';
import type { SpanScores } from './span-chart.ts';

export function shapesOf(settings: SpansSettings, vocabulary: NetworkVocabulary): Shape[] {
  const inputs = 2 * settings.units;
  return [
    ...SentenceNetwork.shapes(settings, vocabulary),
    ...PairScorer.shapes('spans', inputs, settings.distances),
    ...PairClassifier.shapes('labels', inputs, vocabulary.labels.length),
    ...TagScorer.shapes('tags', inputs, tagsOf(vocabulary).length),
  ];
}

/** The strings of the encoder's xpos. */
export function tagsOf({ encoder }: Pick<NetworkVocabulary, 'encoder'>): string[] {
  return encoder.vocabulary(encoder.names.indexOf('xpos')).strings();
}

/**
 * A network that reads a sentence and scores its spans, their labels and the words' tags. A fencepost between two words is
 * the forward LSTM's output at the left one and the backward LSTM's at the right one (Cross & Huang 2016, D16-1001);
 * spans are pairs of fenceposts (Zhang, Zhou & Li 2020).
 */
export class SpanNetwork extends SentenceNetwork {
  /** Row = right fencepost, column = left fencepost. */
  readonly spans: PairScorer;
  readonly labels: PairClassifier;
  readonly tags: TagScorer;
  /** The length of half a row of the sentence layers' output, in 32-bit numbers: two of 16 bits share one. */
  private readonly half: number;
  /** (n + 1) × 2 units, in 16 bits as the output is. */
  private readonly fenceposts: Floats;
  private readonly fencepostGradients: Floats | undefined;

  /** @param isLearning for training; else for parsing, with weights that `setWeights` sets */
  constructor(
    settings: SpansSettings,
    vocabulary: NetworkVocabulary,
    isLearning: boolean,
    within?: NetworkMemory,
  ) {
    super(settings, vocabulary, shapesOf(settings, vocabulary), isLearning, within);
    const { memory, parameters, rowLayer } = this;
    const rows = settings.maxLength + 1;
    const distances = settings.distances ? 'fenceposts' : 'none';
    this.half = isLearning ? settings.units : settings.units / 2;
    this.spans = new PairScorer(
      memory,
      parameters,
      'spans',
      { most: rows, isTrained: isLearning, distances },
      rowLayer,
    );
    const most = { rows, pairs: 2 * rows, classes: vocabulary.labels.length };
    this.labels = new PairClassifier(memory, parameters, 'labels', most, isLearning, rowLayer);
    this.tags = new TagScorer(memory, 'tags', rows, tagsOf(vocabulary).length, isLearning, rowLayer);
    const ofFenceposts = () => memory.take(rows * 2 * this.half);
    this.fenceposts = ofFenceposts();
    if (isLearning) this.fencepostGradients = ofFenceposts();
    memory.allocate();
  }

  /** Reads a sentence, scores its spans and tags; `random` draws the dropout masks, in training. */
  read(sentence: EncodedSentence, random?: Random): void {
    const { sentences, fenceposts } = this;
    const tokens = this.encode(sentence, random);
    this.joinHalves(tokens);
    this.spans.forward(fenceposts, tokens);
    this.tags.forward(sentences.output, tokens);
  }

  spanScores(length: number): SpanScores {
    return { values: this.spans.scores.values, rowLength: PairScorer.rowLength(length + 1) };
  }

  scoreLabels(spans: RowPairs, length: number): void {
    this.labels.forward(this.fenceposts, length + 1, spans);
  }

  /** Adds to the gradients of the parameters by those of the scores. */
  backward(spans: RowPairs, length: number): void {
    const { fenceposts, learning: sentences } = this;
    const tokens = length + 1;
    const gradients = this.fencepostGradients!;
    gradients.values.fill(0, 0, tokens * 2 * this.half);
    this.labels.backward(fenceposts, gradients, tokens, spans);
    this.spans.backward(fenceposts, gradients, tokens);
    sentences.clearGradients(tokens);
    this.partHalves(sentences.outputGradients, tokens);
    this.tags.backward(sentences.output, sentences.outputGradients, tokens);
    sentences.backward(this.rows);
  }

  /** Fencepost i: the forward half of row i and the backward half of row i + 1, zeros after the last. */
  private joinHalves(tokens: number): void {
    const { half } = this;
    const [to, from] = [bitsOf(this.fenceposts), bitsOf(this.sentences.output)];
    for (let i = 0; i < tokens; i++) {
      const at = i * 2 * half;
      for (let u = 0; u < half; u++) to[at + u] = from[at + u];
      for (let u = half; u < 2 * half; u++) to[at + u] = i + 1 < tokens ? from[at + 2 * half + u] : 0;
    }
  }

  private partHalves({ values: to }: Floats, tokens: number): void {
    const { half } = this;
    const from = this.fencepostGradients!.values;
    for (let i = 0; i < tokens; i++) {
      const at = i * 2 * half;
      for (let u = 0; u < half; u++) to[at + u] = from[at + u];
      for (let u = half; u < 2 * half && i > 0; u++) to[at + u] = from[at - 2 * half + u];
    }
  }
}

/** Numbers as they are in memory: two of 16 bits are no floating-point number. */
function bitsOf({ values }: Floats): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length);
}

export interface SpansSettings extends NumberingSettings, SentenceSettings {
  /** Whether words are tagged by the network, or have their tags (xpos). */
  readonly tagging: (typeof tagSources)[number];
  /** The label of the outermost bracket. */
  readonly outermost: string;
}

/** Reads the settings from a model's header; throws `InputError` if they are not valid. */
export function spansSettings(fields: HeaderFields): SpansSettings {
  const columns = fields.texts('columns');
  if (!columns.every(isEncodedColumn)) fields.refuse('columns', 'names of columns');
  return {
    tags: ['xpos'],
    tagging: fields.choice('tagging', tagSources),
    normalize: fields.flag('normalize'),
    stem: 'none',
    columns,
    distances: fields.has('distances') && fields.flag('distances'),
    outermost: fields.text('outermost'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    ...layerSizes(fields),
  };
}
