import type { TokenInput } from '../../src/learn/network/layers/projected-input.ts';
import { VectorInput } from '../../src/learn/vectors/vector-input.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';

/** An input beside the learnt embeddings that a model holds. */
export interface NetworkInput extends TokenInput {
  /** Identifies its numbers. */
  readonly digest: string;
  /** Writes its sections; returns fields for the header. */
  save(model: ModelWriter): object;
}

/** How each kind of input is opened, by its name. */
const loaders: Readonly<Record<string, (model: ModelReader, fields: HeaderFields) => NetworkInput>> = {
  vectors: VectorInput.load,
};

/** Opens the inputs of a saved network; `fields`: those of its header. */
export function loadInputs(model: ModelReader, fields: HeaderFields): NetworkInput[] {
  if (!fields.has('inputs')) return [];
  const inputs = fields.fields('inputs');
  if (!inputs.names.every((name) => Object.hasOwn(loaders, name)))
    fields.refuse('inputs', `fields ${Object.keys(loaders).join(', ')}`);
  return inputs.names.map((name) => loaders[name](model, inputs.fields(name)));
}

/** Writes inputs; returns the header's field, if there are any. */
export function saveInputs(inputs: readonly NetworkInput[], model: ModelWriter): object {
  if (inputs.length === 0) return {};
  return { inputs: Object.fromEntries(inputs.map((input) => [input.name, input.save(model)])) };
}
