import { type DecoderName, decoderNames } from '../../src/decode/registry.ts';
import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { type EncodedColumn, isEncodedColumn } from '../../src/encoding/columns.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { type LayerSizes, layerSizes } from '../../src/learn/network/sentence-layers.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';

export interface NetworkSettings extends NumberingSettings, LayerSizes {
  readonly decoder: DecoderName;
  readonly singleRoot: boolean;
  readonly maxLength: number;
  readonly columns: readonly EncodedColumn[];
}

/** Reads the settings from a model's header; throws `InputError` if they are not valid. */
export function networkSettings(fields: HeaderFields): NetworkSettings {
  const columns = fields.texts('columns');
  if (!columns.every(isEncodedColumn)) fields.refuse('columns', 'names of columns');
  return {
    decoder: fields.choice('decoder', decoderNames),
    tags: tagsIn(fields),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    columns,
    ...layerSizes(fields),
  };
}
