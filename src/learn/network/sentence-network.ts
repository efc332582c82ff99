import type { EncodedColumn, EncodedSentence } from '../../encoding/columns.ts';
import type { Numbering } from '../../encoding/numbering.ts';
import type { MorphologyColumn } from '../../treebank/columns/names.ts';
import type { Random } from '../random.ts';
import { Dense, type NetworkParts, type RowLayer } from './layers/dense.ts';
import type { ExtraInput, InputFields, InputRows } from './layers/input-layer.ts';
import { NetworkMemory } from './memory.ts';
import { Parameters, type Shape } from './parameters.ts';
import { QuantizedLayers, QuantizedParameters } from './quantized-layers.ts';
import { type LayerSettings, SentenceLayers } from './sentence-layers.ts';
import { embeddedFields, TokenValues } from './token-values.ts';

export interface SentenceSettings extends LayerSettings {
  readonly maxLength: number;
  readonly columns: readonly EncodedColumn[];
  /** Whether the distance between the ends of a pair is scored; older models lack the field. */
  readonly distances: boolean;
  /** The columns that the network predicts instead of reading them; absent: none. */
  readonly tagTask?: readonly MorphologyColumn[] | undefined;
}

/** A network's vocabularies of inputs and labels, and its inputs beside the learned embeddings. */
export interface NetworkVocabulary extends Pick<Numbering, 'encoder' | 'labels'> {
  readonly extraInputs: readonly ExtraInput[];
}

function inputsOf({ columns }: SentenceSettings, { encoder, extraInputs }: NetworkVocabulary): InputFields {
  return { fields: embeddedFields(columns, encoder), extraInputs };
}

/** Base of networks that encode a sentence: subclasses add scorers, then allocate the memory. Inference is in 16 bits. */
export abstract class SentenceNetwork implements NetworkParts {
  readonly parameters: Parameters;
  protected readonly sentences: SentenceLayers | QuantizedLayers;
  protected rows!: InputRows;
  private readonly quantized: QuantizedParameters | undefined;
  private readonly tokenValues: TokenValues;

  /**
   * @param isLearning true for training; false for parsing, with the weights of `setWeights`
   * @param memory subclasses take more of it, then allocate it
   */
  constructor(
    settings: SentenceSettings,
    vocabulary: NetworkVocabulary,
    shapes: readonly Shape[],
    readonly isLearning: boolean,
    readonly memory = new NetworkMemory(),
  ) {
    const inputs = inputsOf(settings, vocabulary);
    this.parameters = new Parameters(memory, shapes, isLearning);
    this.quantized = isLearning ? undefined : new QuantizedParameters(memory, this.parameters);
    this.sentences =
      this.quantized === undefined
        ? new SentenceLayers(memory, this.parameters, settings, inputs)
        : new QuantizedLayers(this.quantized, settings, inputs);
    this.tokenValues = new TokenValues(settings.columns, vocabulary.encoder);
  }

  /** The shapes of the parameters that encode a sentence. */
  static shapes(settings: SentenceSettings, vocabulary: NetworkVocabulary): Shape[] {
    return SentenceLayers.shapes(settings, inputsOf(settings, vocabulary));
  }

  initialize(random: Random): void {
    this.parameters.draw(random);
    this.learning.initialize();
  }

  setWeights(weights: Float32Array): void {
    this.parameters.weights.values.set(weights);
    this.quantized?.fill();
  }

  /** The trainable layers; only in training. */
  protected get learning(): SentenceLayers {
    return this.sentences as SentenceLayers;
  }

  /** A dense layer over the encoded tokens. */
  readonly rowLayer = (name: string): RowLayer =>
    this.quantized?.dense(name) ?? new Dense(this.memory, this.parameters, name);

  /** Encodes the tokens of a sentence, the root first, and returns their number. */
  protected encode(sentence: EncodedSentence, random?: Random): number {
    const tokens = sentence.length + 1;
    this.rows = { values: this.tokenValues.read(sentence), tokens, forms: sentence.forms };
    this.sentences.forward(this.rows, random);
    return tokens;
  }
}
