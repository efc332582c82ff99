import { type DecoderName, decoderNames } from '../../src/decode/registry.ts';
import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { type EncodedColumn, isEncodedColumn } from '../../src/encoding/columns.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { LANES } from '../../src/learn/network/layout.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';

/** The largest layers, and the most of them, that a model may have. */
export const MOST_UNITS = 1024;
export const MOST_LAYERS = 8;

export interface NetworkSettings extends NumberingSettings {
  readonly decoder: DecoderName;
  readonly singleRoot: boolean;
  readonly maxLength: number;
  readonly columns: readonly EncodedColumn[];
  readonly layers: number;
  /** LSTM units per direction, a multiple of four. */
  readonly units: number;
}

/** Reads the settings from a model's header; throws `InputError` if they are not valid. */
export function networkSettings(fields: HeaderFields): NetworkSettings {
  const units = fields.integer('units', LANES, MOST_UNITS);
  if (units % LANES !== 0) fields.refuse('units', `a multiple of ${LANES}`);
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
    layers: fields.integer('layers', 1, MOST_LAYERS),
    units,
  };
}
