import { MOST_CHUNK } from '../../../src/encoding/chunks.ts';
import { type EncodedSentence, isEncodedColumn } from '../../../src/encoding/columns.ts';
import type { NumberingSettings } from '../../../src/encoding/numbering.ts';
import { PairClassifier, PairScorer, type RowPairs } from '../../../src/learn/network/layers/pair-scorers.ts';
import { TagScorer } from '../../../src/learn/network/layers/tag-scorer.ts';
import type { Floats, NetworkMemory } from '../../../src/learn/network/memory.ts';
import type { Shape } from '../../../src/learn/network/parameters.ts';
import { layerSettings } from '../../../src/learn/network/sentence-layers.ts';
import type { NetworkVocabulary, SentenceSettings } from '../../../src/learn/network/sentence-network.ts';
import { SentenceNetwork } from '../../../src/learn/network/sentence-network.ts';
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

/** Returns the tag set: the strings of the encoder's xpos. */
export function tagsOf({ encoder }: Pick<NetworkVocabulary, 'encoder'>): string[] {
  return encoder.vocabulary(encoder.names.indexOf('xpos')).strings();
}

/**
 * Scores the spans of a sentence, their labels, and the words' tags. The fencepost between two words is the forward LSTM's
 * output at the left word and the backward LSTM's at the right word (Cross & Huang 2016, D16-1001); spans are pairs of
 * fenceposts (Zhang, Zhou & Li 2020). Tags are scored from the first LSTM (Søgaard & Goldberg 2016, P16-2038).
 */
export class SpanNetwork extends SentenceNetwork {
  /** Row = right fencepost, column = left fencepost. */
  readonly spans: PairScorer;
  readonly labels: PairClassifier;
  readonly tags: TagScorer;
  /** Length of half an output row of the sentence layers, in 32-bit numbers (two 16-bit numbers share one). */
  private readonly half: number;
  /** (n + 1) × 2 units; in 16 bits for inference, like the output. */
  private readonly fenceposts: Floats;
  private readonly fencepostGradients: Floats | undefined;

  /** @param isLearning true for training; false for parsing, with the weights of `setWeights` */
  constructor(
    private readonly settings: SpansSettings,
    vocabulary: NetworkVocabulary,
    isLearning: boolean,
    within?: NetworkMemory,
  ) {
    super(settings, vocabulary, shapesOf(settings, vocabulary), isLearning, within);
    const { memory } = this;
    const rows = settings.maxLength + 1;
    const distances = settings.distances ? 'fenceposts' : 'none';
    this.half = isLearning ? settings.units : settings.units / 2;
    this.spans = new PairScorer(this, 'spans', rows, distances);
    const most = { rows, pairs: 2 * rows, classes: vocabulary.labels.length };
    this.labels = new PairClassifier(this, 'labels', most);
    this.tags = new TagScorer(this, 'tags', rows, tagsOf(vocabulary).length);
    const ofFenceposts = () => memory.take(rows * 2 * this.half);
    this.fenceposts = ofFenceposts();
    if (isLearning) this.fencepostGradients = ofFenceposts();
    memory.allocate();
  }

  /** Encodes a sentence and scores its spans and tags. @param random draws the dropout masks, in training */
  read(sentence: EncodedSentence, random?: Random): void {
    const { sentences, fenceposts } = this;
    const tokens = this.encode(sentence, random);
    this.joinHalves(tokens);
    this.spans.forward(fenceposts, tokens);
    this.tags.forward(this.settings.tagsFromFirst ? sentences.firstOutput : sentences.output, tokens);
  }

  spanScores(length: number): SpanScores {
    return { values: this.spans.scores.values, rowLength: PairScorer.rowLength(length + 1) };
  }

  scoreLabels(spans: RowPairs, length: number): void {
    this.labels.forward(this.fenceposts, length + 1, spans);
  }

  /** Accumulates the gradients of the parameters, given the scores' gradients. */
  backward(spans: RowPairs, length: number): void {
    const { fenceposts, learning: sentences } = this;
    const tokens = length + 1;
    const gradients = this.fencepostGradients!;
    gradients.values.fill(0, 0, tokens * 2 * this.half);
    this.labels.backward(fenceposts, gradients, tokens, spans);
    this.spans.backward(fenceposts, gradients, tokens);
    sentences.clearGradients(tokens);
    this.partHalves(sentences.outputGradients, tokens);
    this.tags.backward(sentences.firstOutput, sentences.firstGradients, tokens);
    sentences.backward(this.rows);
  }

  /** Fills fencepost i with the forward half of row i and the backward half of row i + 1 (zeros after the last). */
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

/** Views floats as integers: copying pairs of 16-bit numbers as floats could change the bits of NaN. */
function bitsOf({ values }: Floats): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length);
}

export interface SpansSettings extends NumberingSettings, SentenceSettings {
  /** Whether the network tags words, or reads their given tags (xpos). */
  readonly tagging: (typeof tagSources)[number];
  /** Whether tags are scored from the first LSTM; in older models from the last. */
  readonly tagsFromFirst: boolean;
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
    tagsFromFirst: fields.has('tagsFromFirst') && fields.flag('tagsFromFirst'),
    outermost: fields.text('outermost'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    ...layerSettings(fields),
  };
}
