import type { HeaderFields } from '../../model/header-fields.ts';
import { joinStrings, splitStrings } from '../../model/layout.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { sha256 } from '../../platform/platform.ts';
import { directions } from '../network/layers/lstm.ts';
import { DirectionReader, type DirectionWeights, directionShapes, LONGEST } from './direction-reader.ts';
import { QuantizedRows } from './quantized-rows.ts';
import type { EncoderSettings } from './settings.ts';
import { EncoderVocabulary, encoderSettings, FIRST_CHARACTER, FIRST_WORD } from './settings.ts';

/** Computes a vector for each word of a sentence in context. */
export interface ContextEncoder {
  /** Length of a vector. */
  readonly width: number;
  /** Identifies its weights. */
  readonly digest: string;
  /** Identifies an encoder within its file. */
  readonly place: number | string;
  /** Fills `out` with a row of `width` numbers for each word. */
  encode(words: readonly string[], out: Float32Array): void;
  /** Writes its sections; returns the header's fields. */
  save(model: ModelWriter, prefix: string): object;
}

/** A trained bidirectional language model, whose layers describe words in context (Peters et al. 2018). */
export class Encoder implements ContextEncoder {
  /** Length of a word's vector: its row and the output of each LSTM, in both directions. */
  readonly width: number;
  private readers: readonly DirectionReader[] | undefined;

  constructor(
    readonly settings: EncoderSettings,
    readonly vocabulary: EncoderVocabulary,
    readonly weights: readonly DirectionWeights[],
  ) {
    this.width = 2 * settings.units * (settings.layers + 1);
  }

  /** Opens the sections whose names begin with `prefix`; throws `InputError` if they do not fit the header's fields. */
  static load(model: ModelReader, prefix: string, fields: HeaderFields): Encoder {
    const settings = encoderSettings(fields);
    const words = splitStrings(model.section(`${prefix}vocabulary.words`, 'uint8'));
    const characters = splitStrings(model.section(`${prefix}vocabulary.characters`, 'uint8'));
    if (words.length + FIRST_WORD !== settings.words) fields.refuse('words', `${words.length + FIRST_WORD}`);
    if (characters.length + FIRST_CHARACTER !== settings.characters)
      fields.refuse('characters', `${characters.length + FIRST_CHARACTER}`);
    const weights = directions.map((direction) => ({
      words: QuantizedRows.load(model, `${prefix}${direction}.words`, settings.words, settings.units / 2),
      matrices: directionShapes(settings, direction).map(({ name, rows, columns }) =>
        QuantizedRows.load(model, `${prefix}${direction}.${name}`, rows, columns),
      ),
    }));
    return new Encoder(settings, new EncoderVocabulary(words, characters), weights);
  }

  /** Writes its sections; returns the header's fields. */
  save(model: ModelWriter, prefix: string): EncoderSettings {
    const { settings, vocabulary } = this;
    model.section(`${prefix}vocabulary.words`, joinStrings(vocabulary.words));
    model.section(`${prefix}vocabulary.characters`, joinStrings(vocabulary.characters));
    for (const [name, matrix] of this.matrices()) matrix.save(model, prefix + name);
    return settings;
  }

  /** The offset of its numbers in the memory of its file. */
  get place(): number {
    return this.weights[0].words.place;
  }

  /** Identifies words and numbers. */
  get digest(): string {
    const { words, characters } = this.vocabulary;
    const hash = sha256().update(JSON.stringify([this.settings, words, characters]));
    for (const [, matrix] of this.matrices()) matrix.addTo(hash);
    return hash.digest('hex');
  }

  private matrices(): [name: string, matrix: QuantizedRows][] {
    return directions.flatMap((direction, d): [string, QuantizedRows][] => {
      const { words, matrices } = this.weights[d];
      const shapes = directionShapes(this.settings, direction);
      const named = shapes.map(({ name }, m): [string, QuantizedRows] => [
        `${direction}.${name}`,
        matrices[m],
      ]);
      return [[`${direction}.words`, words], ...named];
    });
  }

  /**
   * Encodes the words of a sentence: fills `out` from `start` on with words × `width` numbers. A row is the word's own row in
   * the forward and the backward direction, then the outputs of the first LSTM in both directions, and so on.
   */
  encode(forms: readonly string[], out: Float32Array, start = 0): void {
    const { settings, vocabulary, weights, width } = this;
    this.readers ??= directions.map((direction, d) => new DirectionReader(settings, direction, weights[d]));
    const { units, layers } = settings;
    for (let first = 0; first < forms.length; first += LONGEST) {
      const piece = forms.slice(first, first + LONGEST);
      for (const [d, reader] of this.readers.entries()) {
        reader.read(piece, vocabulary);
        for (let l = 0; l <= layers; l++) {
          for (let t = 0; t < piece.length; t++) {
            const to = start + (first + t) * width + (2 * l + d) * units;
            reader.copyRow(l, t, out, to);
          }
        }
      }
    }
  }
}
