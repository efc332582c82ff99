import { LANES } from '../../../src/learn/network/memory.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { TagChoices } from '../choices.ts';
import type { TagSet } from '../tag-set.ts';
import { sizesOf, weightCount } from './tag-network.ts';
import { WordValues } from './word-values.ts';

/** The widest layers that can be asked for. */
export const MOST_UNITS = 512;

/** What a network has learnt. */
export interface LearntNetwork {
  readonly units: number;
  readonly values: WordValues;
  /** Those of `TagNetwork.parameters`, in their order. */
  readonly weights: Float32Array;
}

/** Throws `InputError` where the model has no network for these tags. */
export function loadNetwork(model: ModelReader, tags: TagSet): LearntNetwork {
  const header = model.fields('tagger').fields('network');
  const units = header.integer('units', LANES, MOST_UNITS);
  if (units % LANES !== 0) header.refuse('units', `a multiple of ${LANES}`);
  const values = WordValues.load(model);
  const sizes = { fields: values.fields, units, ...sizesOf(tags, new TagChoices(tags)) };
  const weights = model.section('tagger.network.weights', 'float32', { length: weightCount(sizes) });
  if (!weights.every(Number.isFinite)) model.refuse('section tagger.network.weights holds what is no number');
  return { units, values, weights };
}

/** Writes its sections; returns what is to stand in the header. */
export function saveNetwork({ units, values, weights }: LearntNetwork, model: ModelWriter): object {
  model.section('tagger.network.weights', weights);
  return { units, values: values.save(model) };
}
