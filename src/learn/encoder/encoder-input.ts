import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import type { TokenInput } from '../network/layers/projected-input.ts';
import { type ContextEncoder, Encoder } from './encoder.ts';
import { NamedEncoder } from './encoder-file.ts';
import { PublishedEncoder } from './published/published-encoder.ts';

/** The length of the projected layers. */
const SIZE = 100;
/** Maximum number of cached floats: in parsing, enough for a batch on its way through a pipeline; and in training. */
const KEPT = 1 << 22;
const KEPT_IN_TRAINING = 1 << 27;

/** Open inputs, by the memory of their file and their place in it. */
const opened = new WeakMap<SharedArrayBuffer, Map<number | string, EncoderInput>>();

/** The vectors of an encoder for words in context, as an input of a network, which learns a projection of them. */
export class EncoderInput implements TokenInput {
  readonly name = 'encoder';
  readonly size = SIZE;
  readonly readsContext = true;
  /** Cached vectors of sentences, by their forms. */
  private readonly kept = new Map<string, Float32Array>();
  private keptNumbers = 0;

  /** @param isTraining keep the vectors of the first sentences when the cache is full, as a training reads them again */
  constructor(
    private readonly encoder: ContextEncoder,
    private readonly isTraining = false,
  ) {}

  /**
   * Opens an encoder: once for all models of a file that share it, as they read the same sentences.
   *
   * @param fields those that `save` returned
   */
  static load(model: ModelReader, prefix: string, fields: HeaderFields): EncoderInput {
    const inputs = opened.get(model.buffer) ?? new Map<number | string, EncoderInput>();
    opened.set(model.buffer, inputs);
    const known = fields.has('digest') && inputs.get(fields.text('digest'));
    if (known) return known;
    const encoder = encoderOf(model, prefix, fields);
    const input = inputs.get(encoder.place) ?? new EncoderInput(encoder);
    inputs.set(encoder.place, input);
    return input;
  }

  /** Writes the encoder's sections, if the model holds it; returns the header's fields. */
  save(model: ModelWriter, prefix: string): object {
    return this.encoder.save(model, `${prefix}encoder.`);
  }

  get dimensions(): number {
    return this.encoder.width;
  }

  get digest(): string {
    return this.encoder.digest;
  }

  fill(forms: readonly string[], rows: Float32Array, stride: number, isKnown: Uint8Array): void {
    const { width } = this.encoder;
    const numbers = this.numbersOf(forms);
    for (let t = 1; t < forms.length; t++) {
      rows.set(numbers.subarray((t - 1) * width, t * width), t * stride);
      isKnown[t] = 1;
    }
  }

  private numbersOf(forms: readonly string[]): Float32Array {
    const key = forms.join('\n');
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const words = forms.slice(1);
    const numbers = new Float32Array(words.length * this.encoder.width);
    this.encoder.encode(words, numbers);
    const most = this.isTraining ? KEPT_IN_TRAINING : KEPT;
    if (this.keptNumbers + numbers.length > most) {
      // A training reads its sentences again: the first ones stay.
      if (this.isTraining) return numbers;
      this.kept.clear();
      this.keptNumbers = 0;
    }
    this.kept.set(key, numbers);
    this.keptNumbers += numbers.length;
    return numbers;
  }
}

function encoderOf(model: ModelReader, prefix: string, fields: HeaderFields): ContextEncoder {
  if (fields.has('folder')) return PublishedEncoder.load(fields, model.name);
  if (fields.has('file')) return NamedEncoder.load(fields, model.name);
  return Encoder.load(model, `${prefix}encoder.`, fields);
}
