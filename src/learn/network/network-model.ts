import type { Numbering, NumberingSettings } from '../../encoding/numbering.ts';
import { loadNumbering, saveNumbering } from '../../encoding/numbering.ts';
import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { loadInputs, type NetworkInput, saveInputs } from './inputs.ts';
import { type Shape, weightCount } from './parameters.ts';
import type { NetworkVocabulary, SentenceSettings } from './sentence-network.ts';

/** The contents of a network's model file: settings, vocabulary, inputs and weights. */
export interface NetworkModel<Settings extends NumberingSettings & SentenceSettings> {
  readonly settings: Settings;
  readonly numbering: Numbering;
  readonly extraInputs: readonly NetworkInput[];
  /** Read from the file at each access: the parsing network keeps its own copy in the kernels' memory. */
  readonly weights: Float32Array;
}

/** Loads the network of the header's field `part`; throws `InputError` if it is not valid. */
export function loadNetwork<Settings extends NumberingSettings & SentenceSettings>(
  file: ModelReader,
  part: string,
  settingsIn: (fields: HeaderFields) => Settings,
  shapesOf: (settings: Settings, vocabulary: NetworkVocabulary) => Shape[],
): NetworkModel<Settings> {
  const fields = file.fields(part);
  const extraInputs = loadInputs(file, fields);
  const settings = { ...settingsIn(fields.fields('settings')), keepsForms: extraInputs.length > 0 };
  const numbering = loadNumbering(file, part, settings, [...settings.columns, ...(settings.tagTask ?? [])]);
  const length = weightCount(shapesOf(settings, { ...numbering, extraInputs }));
  return {
    settings,
    numbering,
    extraInputs,
    get weights() {
      return file.section('weights', 'float32', { length, finite: 'weights' });
    },
  };
}

export function saveNetwork(
  file: ModelWriter,
  part: string,
  { settings: all, numbering, extraInputs, weights }: NetworkModel<NumberingSettings & SentenceSettings>,
): void {
  const { keepsForms: _, ...settings } = all;
  file.header[part] = { settings, ...saveNumbering(numbering, file), ...saveInputs(extraInputs, file) };
  file.section('weights', weights);
}
