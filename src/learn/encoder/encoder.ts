import type { HeaderFields } from '../../model/header-fields.ts';
import { joinStrings, splitStrings } from '../../model/layout.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { type Hash, sha256 } from '../../platform/platform.ts';
import { Dense, denseShapes } from '../network/layers/dense.ts';
import { directions, LstmPass, recurrentShape } from '../network/layers/lstm.ts';
import { GATES } from '../network/layout.ts';
import { type Floats, NetworkMemory } from '../network/memory.ts';
import { Parameters, type Shape } from '../network/parameters.ts';
import { BatchProducts } from './batch-dense.ts';
import {
  BOUNDARIES,
  BOUNDARY,
  type EncoderSettings,
  encoderSettings,
  FIRST_CHARACTER,
  FIRST_WORD,
} from './settings.ts';
import { BOUNDARY_CHARACTERS, EncoderVocabulary } from './vocabulary.ts';
import { CharacterFilters, filterShapes } from './word-layer.ts';

/** The name of a layer's parameters; `LstmPass` reads the direction from its end. */
export function layerName(layer: number, direction: string): string {
  return `layer-${layer + 1}.${direction}`;
}

/** The parameters of a direction that its outputs need: all but the word table, which is kept in fewer bits. */
export function directionShapes(settings: EncoderSettings, direction: string): Shape[] {
  const { units, layers } = settings;
  const ofLayers = Array.from({ length: layers }, (_, l) => {
    const name = layerName(l, direction);
    return [...denseShapes(`${name}.inputs`, units, GATES * units), recurrentShape(name, units)];
  });
  return [...filterShapes(settings), ...ofLayers.flat()];
}

/** One direction of a trained language model, in 8 bits: the word table, then the matrices of `directionShapes`. */
export interface DirectionWeights {
  readonly words: QuantizedRows;
  readonly matrices: readonly QuantizedRows[];
}

/** A trained bidirectional language model, whose layers describe words in context (Peters et al. 2018). */
export class Encoder {
  /** Numbers that describe a word: its row and the output of each LSTM, in both directions. */
  readonly width: number;
  private readers: readonly DirectionReader[] | undefined;

  constructor(
    readonly settings: EncoderSettings,
    private readonly vocabulary: EncoderVocabulary,
    private readonly weights: readonly DirectionWeights[],
  ) {
    this.width = 2 * settings.units * (settings.layers + 1);
  }

  /** Opens the sections whose names begin with `prefix`; throws `InputError` where they do not fit the header's fields. */
  static load(model: ModelReader, prefix: string, fields: HeaderFields): Encoder {
    const settings = encoderSettings(fields);
    const words = splitStrings(model.section(`${prefix}vocabulary.words`, 'uint8'));
    const characters = splitStrings(model.section(`${prefix}vocabulary.characters`, 'uint8'));
    if (words.length + FIRST_WORD !== settings.words) fields.refuse('words', `${words.length + FIRST_WORD}`);
    if (characters.length + FIRST_CHARACTER !== settings.characters) {
      fields.refuse('characters', `${characters.length + FIRST_CHARACTER}`);
    }
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

  /** Where its numbers begin in the memory of its file. */
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
   * Describes the words of a sentence: `out` is filled with a row of `width` numbers for each, from `start` on. A row is
   * the word's forward and backward row, then the outputs of the first LSTM in both directions, and so on.
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
          const { values } = reader.layers[l];
          for (let t = 0; t < piece.length; t++) {
            const to = start + (first + t) * width + (2 * l + d) * units;
            // The first row is the boundary's.
            for (let i = 0; i < units; i++) out[to + i] = values[(t + 1) * units + i];
          }
        }
      }
    }
  }
}

/** Words of a sentence that are read together; longer ones are read in pieces. */
const LONGEST = 256;

/** Words that are remembered, beside those of the sentence. */
const MOST_KNOWN = 4096;

/** Stands for the boundary among the forms, none of which is empty. */
const BOUNDARY_FORM = '';

/** Reads sentences in one direction. */
class DirectionReader {
  /** The rows of the words, and the outputs of each LSTM: (words + 2) × units. */
  readonly layers: readonly Floats[];
  private readonly filters: CharacterFilters;
  /** For the words read before, their row and what it adds to the gates of the first LSTM. */
  private readonly known = new Map<string, Float32Array>();
  private readonly lstms: readonly { readonly inputs: Dense; readonly lstm: LstmPass }[];

  constructor(
    private readonly settings: EncoderSettings,
    direction: string,
    private readonly weights: DirectionWeights,
  ) {
    const { units, layers } = settings;
    const tokens = LONGEST + BOUNDARIES;
    const memory = new NetworkMemory();
    const shapes = directionShapes(settings, direction);
    const parameters = new Parameters(memory, shapes, false);
    this.filters = new CharacterFilters(new BatchProducts(memory, units), parameters, settings, tokens);
    this.lstms = Array.from({ length: layers }, (_, l) => {
      const name = layerName(l, direction);
      return {
        inputs: new Dense(memory, parameters, `${name}.inputs`),
        lstm: new LstmPass(memory, parameters, name, units, tokens),
      };
    });
    this.layers = [memory.take(units * tokens), ...this.lstms.map(({ lstm }) => lstm.hidden)];
    memory.allocate();
    for (const [m, { name, rows }] of shapes.entries()) {
      weights.matrices[m].copyTo(parameters.matrix(name).values, 0, 0, rows);
    }
    this.filters.refresh();
  }

  read(forms: readonly string[], vocabulary: EncoderVocabulary): void {
    const { settings, layers, lstms, known } = this;
    const { units } = settings;
    const tokens = forms.length + BOUNDARIES;
    if (known.size > MOST_KNOWN) known.clear();
    this.learn(
      [BOUNDARY_FORM, ...new Set(forms)].filter((form) => !known.has(form)),
      vocabulary,
    );
    const { gates } = lstms[0].lstm;
    for (let t = 0; t < tokens; t++) {
      const numbers = known.get(forms[t - 1] ?? BOUNDARY_FORM)!;
      layers[0].values.set(numbers.subarray(0, units), t * units);
      gates.values.set(numbers.subarray(units), t * GATES * units);
    }
    for (const [l, { inputs, lstm }] of lstms.entries()) {
      if (l > 0) inputs.forward(lstm.gates, layers[l], tokens);
      lstm.forward(tokens);
    }
  }

  /** Computes what does not depend on a word's context. */
  private learn(forms: readonly string[], vocabulary: EncoderVocabulary): void {
    const { settings, weights, filters, lstms, layers, known } = this;
    const { units } = settings;
    const { values } = layers[0];
    filters.clear();
    for (const [i, form] of forms.entries()) {
      const isBoundary = form === BOUNDARY_FORM;
      weights.words.copyTo(values, i * units, isBoundary ? BOUNDARY : vocabulary.rowOf(form));
      const characters = isBoundary ? BOUNDARY_CHARACTERS : vocabulary.charactersOf(form);
      filters.push(characters, 0, characters.length);
    }
    filters.forward(values, units / 2, units);
    const [{ inputs, lstm }] = lstms;
    inputs.forward(lstm.gates, layers[0], forms.length);
    for (const [i, form] of forms.entries()) {
      const numbers = new Float32Array((1 + GATES) * units);
      numbers.set(values.subarray(i * units, (i + 1) * units));
      numbers.set(lstm.gates.values.subarray(i * GATES * units, (i + 1) * GATES * units), units);
      known.set(form, numbers);
    }
  }
}

const LARGEST = 127;

/** Larger scales are of no training; their products would overflow. */
const MOST_SCALE = 1e6;

/** A matrix with 8 bits a number, and a scale for each row. */
export class QuantizedRows {
  private constructor(
    private readonly numbers: Int8Array,
    private readonly scales: Float32Array,
    private readonly columns: number,
  ) {}

  static of(values: Float32Array, columns: number): QuantizedRows {
    const numbers = new Int8Array(values.length);
    const scales = new Float32Array(values.length / columns);
    for (let row = 0; row < scales.length; row++) {
      const start = row * columns;
      let largest = 0;
      for (let i = start; i < start + columns; i++) largest = Math.max(largest, Math.abs(values[i]));
      scales[row] = largest / LARGEST;
      for (let i = start; i < start + columns; i++) {
        numbers[i] = largest === 0 ? 0 : Math.round((values[i] / largest) * LARGEST);
      }
    }
    return new QuantizedRows(numbers, scales, columns);
  }

  static load(file: ModelReader, name: string, rows: number, columns: number): QuantizedRows {
    const numbers = file.section(name, 'int8', { length: rows * columns });
    const scales = file.section(`${name}.scales`, 'float32', { length: rows, least: 0, most: MOST_SCALE });
    return new QuantizedRows(numbers, scales, columns);
  }

  get place(): number {
    return this.numbers.byteOffset;
  }

  save(file: ModelWriter, name: string): void {
    file.section(name, this.numbers);
    file.section(`${name}.scales`, this.scales);
  }

  addTo(hash: Hash): void {
    hash.update(this.numbers).update(this.scales);
  }

  /** Writes `count` rows from `row` on, one after the other. */
  copyTo(to: Float32Array, start: number, row = 0, count = 1): void {
    const { numbers, scales, columns } = this;
    for (let r = row; r < row + count; r++) {
      for (let i = 0; i < columns; i++) {
        to[start + (r - row) * columns + i] = numbers[r * columns + i] * scales[r];
      }
    }
  }
}
