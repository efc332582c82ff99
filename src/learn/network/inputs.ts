import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { EncoderInput } from '../encoder/encoder-input.ts';
import { VectorTable } from '../vectors/vector-table.ts';
import { CharacterInput } from './layers/characters.ts';
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
