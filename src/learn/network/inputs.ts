import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { EncoderInput } from '../encoder/encoder-input.ts';
import { VectorInput } from '../vectors/vector-input.ts';
import { CharacterInput } from './character-input.ts';
import type { SideInput } from './layers/input-layer.ts';

/** An input beside embeddings that a model holds. */
export type NetworkInput = SideInput & SavedInput;

interface SavedInput {
  /** Identifies its numbers. */
  readonly digest: string;
  /** Writes its sections, whose names begin with `prefix`; returns fields for the header. */
  save(model: ModelWriter, prefix: string): object;
}

type Loader = (model: ModelReader, prefix: string, fields: HeaderFields) => NetworkInput;

/** How each kind of input is opened, by its name. */
const loaders: Readonly<Record<string, Loader>> = {
  vectors: VectorInput.load,
  encoder: EncoderInput.load,
  characters: CharacterInput.load,
};

/** Opens the inputs of a saved network; `fields`: those of its header. */
export function loadInputs(model: ModelReader, fields: HeaderFields, prefix = ''): NetworkInput[] {
  if (!fields.has('inputs')) return [];
  const inputs = fields.fields('inputs');
  if (!inputs.names.every((name) => Object.hasOwn(loaders, name)))
    fields.refuse('inputs', `fields ${Object.keys(loaders).join(', ')}`);
  return inputs.names.map((name) => loaders[name](model, prefix, inputs.fields(name)));
}

/** Writes inputs; returns the header's field, if there are any. */
export function saveInputs(inputs: readonly NetworkInput[], model: ModelWriter, prefix = ''): object {
  if (inputs.length === 0) return {};
  return { inputs: Object.fromEntries(inputs.map((input) => [input.name, input.save(model, prefix)])) };
}
