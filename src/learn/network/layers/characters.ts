import { jsonDigest } from '../../../digest.ts';
import type { HeaderFields } from '../../../model/header-fields.ts';
import { joinStrings, splitStrings } from '../../../model/layout.ts';
import type { ModelReader } from '../../../model/model-reader.ts';
import type { ModelWriter } from '../../../model/model-writer.ts';
import { detached } from '../../../platform/platform.ts';
import type { Random } from '../../random.ts';
import { LANES } from '../layout.ts';
import type { Floats, NetworkMemory } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';
import type { LayerUse } from './projected-input.ts';

/** Dimensions of a character embedding. */
const EMBEDDING = 24;
/** Width of a filter, in characters. */
const WINDOW = 5;
const INNER = WINDOW * EMBEDDING;
/** Maximum number of characters per word, marks included; the middle of longer words is skipped. */
export const MOST_CHARACTERS = 32;
/** Dropout of whole words, so that training words are not recognised by their characters alone. */
const DROPOUT = 0.33;
const SPREAD = 0.25;
/** Factor of negative inputs in leaky ReLU. */
const LEAK = 0.1;
/** Size of the cache of words when parsing. */
const MOST_KEPT = 1 << 14;

/** Ids of characters: unknown, the marks before and after a word, then the known characters. */
const [UNKNOWN, BEGINNING, END, FIRST] = [0, 1, 2, 3];

/** Padding on each side of a word, so that a filter also sees its first and its last character alone. */
const MARKS = 2;
/** Characters read at the beginning and at the end of a long word. */
const HALF = (MOST_CHARACTERS - 2 * MARKS) / 2;
export const MOST_FILTERS = 1024;

/** The characters of a treebank's words, as an input of a network. */
export class CharacterInput {
  readonly name = 'characters';
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(
    private readonly characters: readonly string[],
    /** Number of filters, a multiple of four. */
    readonly size: number,
  ) {
    this.numbers = new Map(characters.map((character, i) => [character, FIRST + i]));
  }

  /** An input with the characters that occur in at least two of the words. */
  static of(words: Iterable<string>, size: number): CharacterInput {
    const counts = new Map<string, number>();
    for (const word of words)
      for (const character of new Set(word)) counts.set(character, (counts.get(character) ?? 0) + 1);
    const characters = [...counts.keys()].filter((character) => counts.get(character)! > 1);
    return new CharacterInput(characters, size);
  }

  /** @param fields those that `save` returned */
  static load(model: ModelReader, prefix: string, fields: HeaderFields): CharacterInput {
    const size = fields.integer('size', LANES, MOST_FILTERS);
    if (size % LANES !== 0) fields.refuse('size', `a multiple of ${LANES}`);
    const characters = splitStrings(model.section(`${prefix}characters`, 'uint8'));
    fields.integer('values', characters.length, characters.length);
    return new CharacterInput(characters, size);
  }

  /** Writes a section; returns fields for the header. */
  save(model: ModelWriter, prefix: string): object {
    model.section(`${prefix}characters`, joinStrings(this.characters));
    return { size: this.size, values: this.characters.length };
  }

  /** Number of different ids. */
  get values(): number {
    return FIRST + this.characters.length;
  }

  get digest(): string {
    return jsonDigest([this.size, this.characters]);
  }

  /** Writes the ids of a word's characters, with marks on both sides; returns their number, `WINDOW` to `MOST_CHARACTERS`. */
  read(form: string, numbers: Int32Array): number {
    const whole = form.length > 2 * HALF ? [...form] : form;
    // The middle of a long word is skipped.
    const read = whole.length > 2 * HALF ? [...whole.slice(0, HALF), ...whole.slice(-HALF)] : whole;
    let count = 0;
    while (count < MARKS) numbers[count++] = BEGINNING;
    for (const character of read) numbers[count++] = this.numbers.get(character) ?? UNKNOWN;
    const end = Math.max(count + MARKS, 2 * MARKS + 1);
    while (count < end) numbers[count++] = END;
    return count;
  }
}

/**
 * Character-based word representations: a convolution over character embeddings with max pooling over the word (Santos &
 * Zadrozny 2014, §2.2; Ma & Hovy 2016, §2.1).
 */
export class Characters {
  private readonly embeddings: Matrix;
  private readonly filters: Matrix;
  private readonly bias: Matrix;
  private readonly numbers = new Int32Array(MOST_CHARACTERS);
  /** The windows of a word, windows × INNER, and the filters' outputs over them, windows × size. */
  private readonly windows: Floats;
  private readonly found: Floats;
  /** In training, for each token: its characters, and for each filter the window with the maximum. */
  private readonly ofTokens: { characters: Int32Array; best: Uint8Array; isNegative: Uint8Array } | undefined;
  private readonly row: Float32Array;
  private readonly cache: WordCache | undefined;

  static shapes({ name, values, size }: CharacterInput): Shape[] {
    return [
      { name: `${name}.embeddings`, rows: values, columns: EMBEDDING, spread: SPREAD },
      { name: `${name}.filters`, rows: size, columns: INNER, spread: Math.sqrt(3 / INNER) },
      { name: `${name}.bias`, rows: 1, columns: size },
    ];
  }

  /** Number of floats that it takes of the memory, parameters excluded. */
  static floatCount({ size }: CharacterInput): number {
    return MOST_CHARACTERS * (INNER + size);
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    private readonly input: CharacterInput,
    { tokens }: LayerUse,
  ) {
    const { name, size } = input;
    this.embeddings = parameters.matrix(`${name}.embeddings`);
    this.filters = parameters.matrix(`${name}.filters`);
    this.bias = parameters.matrix(`${name}.bias`);
    this.windows = memory.take(MOST_CHARACTERS * INNER);
    this.found = memory.take(MOST_CHARACTERS * size);
    this.row = new Float32Array(size);
    if (parameters.gradients === undefined) this.cache = new WordCache(size);
    else {
      this.ofTokens = {
        characters: new Int32Array(tokens * MOST_CHARACTERS),
        best: new Uint8Array(tokens * size),
        isNegative: new Uint8Array(tokens * size),
      };
    }
  }

  /** Writes columns `start`… of the rows of `out`, which are `width` floats long. @param random draws the dropout, in training */
  forward(out: Floats, start: number, width: number, forms: readonly string[], random?: Random): void {
    const { cache, row } = this;
    for (let t = 0; t < forms.length; t++) {
      const form = random !== undefined && random.uniform() < DROPOUT ? '' : forms[t];
      if (cache === undefined) this.readWord(form, t);
      else if (!cache.find(form, row)) {
        this.readWord(form, 0);
        cache.keep(form, row);
      }
      out.values.set(row, t * width + start);
    }
  }

  /** Accumulates the gradients of the parameters for the words of the last `forward`. */
  backward(gradients: Floats, start: number, width: number, tokens: number): void {
    const { filters, bias, embeddings } = this;
    const { size } = this.input;
    const { characters, best, isNegative } = this.ofTokens!;
    const [weights, ofWeights] = [filters.values, filters.gradients!.values];
    const [table, ofTable] = [embeddings.values, embeddings.gradients!.values];
    const ofBias = bias.gradients!.values;
    for (let t = 0; t < tokens; t++) {
      for (let f = 0; f < size; f++) {
        const above = gradients.values[t * width + start + f];
        const gradient = isNegative[t * size + f] === 1 ? LEAK * above : above;
        if (gradient === 0) continue;
        ofBias[f] += gradient;
        const first = t * MOST_CHARACTERS + best[t * size + f];
        for (let w = 0; w < WINDOW; w++) {
          const at = characters[first + w] * EMBEDDING;
          const filter = f * INNER + w * EMBEDDING;
          for (let i = 0; i < EMBEDDING; i++) {
            ofWeights[filter + i] += gradient * table[at + i];
            ofTable[at + i] += gradient * weights[filter + i];
          }
        }
      }
    }
  }

  /** Fills `row` with the representation of a word; in training, also stores what `backward` needs for token t. */
  private readWord(form: string, t: number): void {
    const { input, numbers, windows, found, filters, row, ofTokens } = this;
    const { size } = input;
    const count = input.read(form, numbers);
    ofTokens?.characters.set(numbers, t * MOST_CHARACTERS);
    const rows = count - WINDOW + 1;
    const table = this.embeddings.values;
    for (let r = 0; r < rows; r++) {
      for (let w = 0; w < WINDOW; w++) {
        const [to, from] = [r * INNER + w * EMBEDDING, numbers[r + w] * EMBEDDING];
        for (let i = 0; i < EMBEDDING; i++) windows.values[to + i] = table[from + i];
      }
    }
    this.memory.kernels.product(found.at, windows.at, filters.at, rows, INNER, size);
    for (let f = 0; f < size; f++) {
      let best = 0;
      for (let r = 1; r < rows; r++) if (found.values[r * size + f] > found.values[best * size + f]) best = r;
      const sum = found.values[best * size + f] + this.bias.values[f];
      row[f] = sum < 0 ? LEAK * sum : sum;
      if (ofTokens === undefined) continue;
      ofTokens.best[t * size + f] = best;
      ofTokens.isNegative[t * size + f] = sum < 0 ? 1 : 0;
    }
  }
}

/** A cache of the representations of words. */
class WordCache {
  private readonly numbers = new Map<string, number>();
  private readonly rows: Float32Array;

  constructor(private readonly size: number) {
    this.rows = new Float32Array(MOST_KEPT * size);
  }

  find(form: string, row: Float32Array): boolean {
    const number = this.numbers.get(form);
    if (number === undefined) return false;
    const start = number * this.size;
    for (let i = 0; i < this.size; i++) row[i] = this.rows[start + i];
    return true;
  }

  keep(form: string, row: Float32Array): void {
    if (this.numbers.size === MOST_KEPT) this.numbers.clear();
    this.rows.set(row, this.numbers.size * this.size);
    this.numbers.set(detached(form), this.numbers.size);
  }
}
