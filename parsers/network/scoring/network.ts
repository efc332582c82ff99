import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { GuideTree } from '../../../src/encoding/guides.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import { NetworkMemory } from '../../../src/learn/network/memory.ts';
import { Parameters, type Shape } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';
import { TokenValues, wordFields } from '../inputs/columns.ts';
import type { NetworkSettings } from '../settings.ts';
import { ArcScorer } from './arc-scorer.ts';
import { LabelScorer } from './label-scorer.ts';
import { type LayerSizes, SentenceLayers } from './sentence-layers.ts';

/** What a network's numbers stand for. */
type NetworkNumbering = Pick<Numbering, 'encoder' | 'labels'>;

/** How many weights the network has. */
export function weightCount(settings: NetworkSettings, numbering: NetworkNumbering): number {
  return Parameters.room(shapesOf(settings, numbering), false);
}

/** Every matrix of weights, in order. */
function shapesOf(settings: NetworkSettings, numbering: NetworkNumbering): Shape[] {
  const { units, guides = 0 } = settings;
  const inputs = 2 * units;
  return [
    ...SentenceLayers.shapes(sizesOf(settings, numbering)),
    ...ArcScorer.shapes(inputs, guides),
    ...LabelScorer.shapes(inputs, numbering.labels.length, guides),
  ];
}

function sizesOf(settings: NetworkSettings, numbering: NetworkNumbering): LayerSizes {
  const { layers, units } = settings;
  return { fields: wordFields(settings, numbering), layers, units };
}

/** A network that reads a sentence, and scores its arcs, and the labels of a tree's arcs. */
export class Network {
  readonly parameters: Parameters;
  readonly arcs: ArcScorer;
  readonly labels: LabelScorer;
  private readonly sentences: SentenceLayers;
  private readonly tokenValues: TokenValues;
  /** Of the sentence last read. */
  private values: Int32Array = new Int32Array(0);
  private guides: readonly GuideTree[] = [];

  /** @param isLearnt makes room for all that learning needs, too */
  constructor(settings: NetworkSettings, numbering: NetworkNumbering, isLearnt: boolean) {
    const { columns, maxLength, guides = 0 } = settings;
    const labels = numbering.labels.length;
    const tokens = maxLength + 1;
    const sizes = sizesOf(settings, numbering);
    const shapes = shapesOf(settings, numbering);
    const room =
      Parameters.room(shapes, isLearnt) +
      SentenceLayers.room(sizes, tokens, isLearnt) +
      ArcScorer.room(tokens, guides, isLearnt) +
      LabelScorer.room(tokens, labels, guides, isLearnt);
    const memory = new NetworkMemory(room);
    this.parameters = new Parameters(memory, shapes, isLearnt);
    this.sentences = new SentenceLayers(memory, this.parameters, sizes, tokens, isLearnt);
    this.arcs = new ArcScorer(memory, this.parameters, tokens, guides, isLearnt);
    this.labels = new LabelScorer(memory, this.parameters, tokens, labels, guides, isLearnt);
    this.tokenValues = new TokenValues(columns, numbering.encoder, sizes.fields.length);
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
    this.guides = sentence.guides ?? [];
    this.sentences.forward(this.values, tokens, random);
    this.arcs.forward(this.sentences.output, tokens, this.guides);
  }

  /** Scores the labels of the arcs of a tree over the sentence last read. */
  scoreLabels(heads: Int32Array, length: number): void {
    this.labels.forward(this.sentences.output, heads, length + 1, this.guides);
  }

  /** Adds to the slopes of the weights, by those of the scores of arcs and labels. */
  backward(heads: Int32Array, length: number): void {
    const tokens = length + 1;
    const { sentences, arcs, labels, guides } = this;
    sentences.clearSlopes(tokens);
    labels.backward(sentences.output, sentences.outputSlopes, heads, tokens, guides);
    arcs.backward(sentences.output, sentences.outputSlopes, tokens, guides);
    sentences.backward(this.values, tokens);
  }
}
