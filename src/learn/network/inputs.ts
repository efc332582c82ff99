import { jsonDigest } from '../../digest.ts';
import type { HeaderFields } from '../../model/header-fields.ts';
import { joinStrings, splitStrings } from '../../model/layout.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { EncoderInput } from '../encoder/encoder-input.ts';
import { VectorTable } from '../vectors/vector-table.ts';
import { type CharacterSource, MOST_CHARACTERS } from './layers/characters.ts';
import type { ExtraInput } from './layers/input-layer.ts';
import type { TokenInput } from './layers/projected-input.ts';
import { LANES } from './layout.ts';

/** The length of projected vectors. */
const SIZE = 100;
const MOST_SIZE = 1024;

/** Word vectors as an input of a network. */
export class VectorInput implements TokenInput {
  readonly name = 'vectors';

  constructor(
    private readonly vectors: VectorTable,
    readonly size = SIZE,
  ) {}

  /** @param fields those that `save` returned */
  static load(model: ModelReader, prefix: string, fields: HeaderFields): VectorInput {
    const size = fields.integer('size', LANES, MOST_SIZE);
    if (size % LANES !== 0) fields.refuse('size', `a multiple of ${LANES}`);
    return new VectorInput(VectorTable.load(model, `${prefix}vectors`, fields), size);
  }

  /** Writes the table's sections; returns fields for the header. */
  save(model: ModelWriter, prefix: string): object {
    return { ...this.vectors.save(model, `${prefix}vectors`), size: this.size };
  }

  get dimensions(): number {
    return this.vectors.dimensions;
  }

  get digest(): string {
    return this.vectors.digest;
  }

  fill(forms: readonly string[], rows: Float32Array, stride: number, isKnown: Uint8Array): void {
    for (let t = 0; t < forms.length; t++) if (this.vectors.fill(forms[t], rows, t * stride)) isKnown[t] = 1;
  }
}

/** Ids of characters: unknown, the marks before and after a word, then the known characters. */
const [UNKNOWN, BEGINNING, END, FIRST] = [0, 1, 2, 3];

/** Padding on each side of a word, so that a filter also sees its first and its last character alone. */
const MARKS = 2;
/** Characters read at the beginning and at the end of a long word. */
const HALF = (MOST_CHARACTERS - 2 * MARKS) / 2;
export const MOST_FILTERS = 1024;

/** The characters of a treebank's words, as an input of a network. */
export class CharacterInput implements CharacterSource {
  readonly name = 'characters';
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(
    private readonly characters: readonly string[],
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

  get values(): number {
    return FIRST + this.characters.length;
  }

  get digest(): string {
    return jsonDigest([this.size, this.characters]);
  }

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

/** An input beside the learned embeddings that is saved in the model. */
export type NetworkInput = ExtraInput & SavedInput;

interface SavedInput {
  /** Digest of its contents. */
  readonly digest: string;
  /** Writes its sections, whose names begin with `prefix`; returns fields for the header. */
  save(model: ModelWriter, prefix: string): object;
}

type Loader = (model: ModelReader, prefix: string, fields: HeaderFields) => NetworkInput;

/** Loaders by name of input. */
const loaders: Readonly<Record<string, Loader>> = {
  vectors: VectorInput.load,
  encoder: EncoderInput.load,
  characters: CharacterInput.load,
};

/** Loads the inputs of a saved network. @param fields the network's part of the header */
export function loadInputs(model: ModelReader, fields: HeaderFields, prefix = ''): NetworkInput[] {
  if (!fields.has('inputs')) return [];
  const inputs = fields.fields('inputs');
  if (!inputs.names.every((name) => Object.hasOwn(loaders, name)))
    fields.refuse('inputs', `fields ${Object.keys(loaders).join(', ')}`);
  return inputs.names.map((name) => loaders[name](model, prefix, inputs.fields(name)));
}

/** Saves inputs; returns the header field that describes them, or nothing if there are none. */
export function saveInputs(inputs: readonly NetworkInput[], model: ModelWriter, prefix = ''): object {
  if (inputs.length === 0) return {};
  return { inputs: Object.fromEntries(inputs.map((input) => [input.name, input.save(model, prefix)])) };
}
