import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import { NetworkMemory } from '../../../src/learn/network/memory.ts';
import { Parameters, type Shape } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';
import { embeddedFields, TokenValues } from '../inputs/columns.ts';
import type { NetworkSettings } from '../settings.ts';
import { ArcScorer } from './arc-scorer.ts';
import { LabelScorer } from './label-scorer.ts';
import { type LayerSizes, SentenceLayers } from './sentence-layers.ts';

/** Every matrix of weights, in order. */
function shapesOf(sizes: LayerSizes, labelCount: number): Shape[] {
  const inputs = 2 * sizes.units;
  return [
    ...SentenceLayers.shapes(sizes),
    ...ArcScorer.shapes(inputs),
    ...LabelScorer.shapes(inputs, labelCount),
  ];
}

/** How many weights the network has. */
export function weightCount(
  { columns, layers, units }: NetworkSettings,
  { encoder, labels }: Pick<Numbering, 'encoder' | 'labels'>,
): number {
  const sizes = { fields: embeddedFields(columns, encoder), layers, units };
  return Parameters.room(shapesOf(sizes, labels.length), false);
}

/** A network that reads a sentence, and scores its arcs, and the labels of a tree's arcs. */
export class Network {
  readonly parameters: Parameters;
  readonly arcs: ArcScorer;
  readonly labels: LabelScorer;
  private readonly sentences: SentenceLayers;
  private readonly tokenValues: TokenValues;
  private values: Int32Array = new Int32Array(0);

  /** @param isLearnt makes room for all that learning needs, too */
  constructor(
    { columns, layers, units, maxLength }: NetworkSettings,
    { encoder, labels }: Pick<Numbering, 'encoder' | 'labels'>,
    isLearnt: boolean,
  ) {
    const tokens = maxLength + 1;
    const sizes = { fields: embeddedFields(columns, encoder), layers, units };
    const shapes = shapesOf(sizes, labels.length);
    const room =
      Parameters.room(shapes, isLearnt) +
      SentenceLayers.room(sizes, tokens, isLearnt) +
      ArcScorer.room(tokens, isLearnt) +
      LabelScorer.room(tokens, labels.length, isLearnt);
    const memory = new NetworkMemory(room);
    this.parameters = new Parameters(memory, shapes, isLearnt);
    this.sentences = new SentenceLayers(memory, this.parameters, sizes, tokens, isLearnt);
    this.arcs = new ArcScorer(memory, this.parameters, tokens, isLearnt);
    this.labels = new LabelScorer(memory, this.parameters, tokens, labels.length, isLearnt);
    this.tokenValues = new TokenValues(columns, encoder);
  }

  /** Where learning begins. */
  begin(random: Random): void {
    this.parameters.draw(random);
    this.sentences.begin();
  }

  /**
   * Reads a sentence and scores its arcs.
   *
   * @param random where it learns: what chooses what is hidden
   */
  read(sentence: EncodedSentence, random?: Random): void {
    const tokens = sentence.length + 1;
    this.values = this.tokenValues.read(sentence);
    this.sentences.forward(this.values, tokens, random);
    this.arcs.forward(this.sentences.output, tokens);
  }

  /** Scores the labels of the arcs of a tree over the sentence last read. */
  scoreLabels(heads: Int32Array, length: number): void {
    this.labels.forward(this.sentences.output, heads, length + 1);
  }

  /** Adds to the slopes of the weights, by those of the scores of arcs and labels. */
  backward(heads: Int32Array, length: number): void {
    const tokens = length + 1;
    const { sentences, arcs, labels } = this;
    sentences.clearSlopes(tokens);
    labels.backward(sentences.output, sentences.outputSlopes, heads, tokens);
    arcs.backward(sentences.output, sentences.outputSlopes, tokens);
    sentences.backward(this.values, tokens);
  }
}
