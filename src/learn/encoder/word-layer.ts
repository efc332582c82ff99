import { tanh } from '../exponential.ts';
import type { Floats } from '../network/memory.ts';
import type { Matrix, Parameters, Shape } from '../network/parameters.ts';
import { BatchDense, type BatchProducts } from './batch-dense.ts';
import { type EncoderSettings, MOST_OF_WORD, PADDING } from './settings.ts';

/** Length of a character's embedding, and width of the filters in characters. */
const CHARACTER_SIZE = 16;
const WINDOW = 5;
const MARGIN = (WINDOW - 1) / 2;
const CHARACTERS = 'characters';
const FILTERS = 'filters';

/** Parameters of the character filters, whose outputs are one half of a word's row; the other is the word's embedding. */
export function filterShapes({ units, characters }: EncoderSettings): Shape[] {
  const inputs = CHARACTER_SIZE * WINDOW;
  return [
    { name: CHARACTERS, rows: characters, columns: CHARACTER_SIZE, spread: 0.5 },
    { name: `${FILTERS}.weights`, rows: units / 2, columns: inputs, spread: Math.sqrt(3 / inputs) },
    { name: `${FILTERS}.bias`, rows: 1, columns: units / 2 },
  ];
}

/**
 * A convolution over the characters of words with max pooling and tanh (Kim et al. 2016). Words follow each other with
 * padding between them, so that one product computes all.
 */
export class CharacterFilters {
  private readonly table: Matrix;
  private readonly dense: BatchDense;
  private readonly characters: Floats;
  private readonly outputs: Floats;
  private readonly gradients: { readonly characters: Floats; readonly outputs: Floats } | undefined;
  private readonly width: number;
  /** Rows of the character table, word by word, and the index of each word's first. */
  private readonly rows: Int32Array;
  private readonly starts: Int32Array;
  /** The position of each filter's largest output: words × filters. */
  private readonly places: Int32Array;
  private count = 0;
  private used = 0;

  constructor(products: BatchProducts, parameters: Parameters, { units }: EncoderSettings, words: number) {
    const { memory } = products;
    /** Maximum number of characters, padding included. */
    const mostRows = words * (MOST_OF_WORD + 2 * MARGIN);
    this.width = units / 2;
    this.table = parameters.matrix(CHARACTERS);
    this.dense = new BatchDense(products, parameters, FILTERS, CHARACTER_SIZE);
    const characters = () => memory.take((mostRows + WINDOW) * CHARACTER_SIZE);
    const outputs = () => memory.take(mostRows * this.width);
    this.characters = characters();
    this.outputs = outputs();
    if (this.table.gradients !== undefined) this.gradients = { characters: characters(), outputs: outputs() };
    this.rows = new Int32Array(mostRows);
    this.starts = new Int32Array(words + 1);
    this.places = new Int32Array(words * this.width);
  }

  refresh(): void {
    this.dense.refresh();
  }

  /** Begins a batch of words. */
  clear(): void {
    this.count = this.used = 0;
  }

  /** Adds a word: the numbers from `start` to `end` are rows of the character table. */
  push(characters: ArrayLike<number>, start: number, end: number): void {
    this.starts[this.count] = this.used;
    for (let i = 0; i < MARGIN; i++) this.rows[this.used++] = PADDING;
    for (let i = start; i < end; i++) this.rows[this.used++] = characters[i];
    for (let i = 0; i < MARGIN; i++) this.rows[this.used++] = PADDING;
    this.starts[++this.count] = this.used;
  }

  /** Fills the filters' outputs for the words added: `out` has rows of `outWidth` numbers, from column `first` on. */
  forward(out: Float32Array, first: number, outWidth: number): void {
    const { characters, outputs, table, rows, width, places, starts } = this;
    for (let c = 0; c < this.used; c++) {
      const from = rows[c] * CHARACTER_SIZE;
      for (let i = 0; i < CHARACTER_SIZE; i++)
        characters.values[c * CHARACTER_SIZE + i] = table.values[from + i];
    }
    characters.values.fill(0, this.used * CHARACTER_SIZE, (this.used + WINDOW) * CHARACTER_SIZE);
    this.dense.forward(outputs, characters, this.used);
    for (let word = 0; word < this.count; word++) {
      const to = word * outWidth + first;
      places.fill(starts[word], word * width, (word + 1) * width);
      for (let f = 0; f < width; f++) out[to + f] = outputs.values[starts[word] * width + f];
      for (let c = starts[word] + 1; c < starts[word + 1] - 2 * MARGIN; c++) {
        for (let f = 0; f < width; f++) {
          const output = outputs.values[c * width + f];
          if (output <= out[to + f]) continue;
          out[to + f] = output;
          places[word * width + f] = c;
        }
      }
      for (let f = 0; f < width; f++) out[to + f] = tanh(out[to + f]);
    }
  }

  /** Adds to the gradients of the parameters; `out` as `forward` filled it, `gradients` laid out alike. */
  backward(out: Float32Array, gradients: Float32Array, first: number, outWidth: number): void {
    const { characters, width, places, rows, table, used } = this;
    const own = this.gradients!;
    own.outputs.values.fill(0, 0, used * width);
    own.characters.values.fill(0, 0, (used + WINDOW) * CHARACTER_SIZE);
    for (let word = 0; word < this.count; word++) {
      const from = word * outWidth + first;
      for (let f = 0; f < width; f++) {
        const output = out[from + f];
        own.outputs.values[places[word * width + f] * width + f] =
          gradients[from + f] * (1 - output * output);
      }
    }
    this.dense.backward(own.outputs, characters, own.characters, used);
    const ofTable = table.gradients!.values;
    for (let c = 0; c < used; c++) {
      const to = rows[c] * CHARACTER_SIZE;
      for (let i = 0; i < CHARACTER_SIZE; i++)
        ofTable[to + i] += own.characters.values[c * CHARACTER_SIZE + i];
    }
  }
}
