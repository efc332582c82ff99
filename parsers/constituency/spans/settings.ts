import { MOST_CHUNK } from '../../../src/encoding/chunks.ts';
import { type EncodedColumn, isEncodedColumn } from '../../../src/encoding/columns.ts';
import type { NumberingSettings } from '../../../src/encoding/numbering.ts';
import { type LayerSizes, layerSizes } from '../../../src/learn/network/sentence-layers.ts';
import type { HeaderFields } from '../../../src/model/header-fields.ts';
import { tagSources } from '../pcfg-parser.ts';

export interface SpansSettings extends NumberingSettings, LayerSizes {
  /** Whether words are tagged by the network, or have their tags (xpos). */
  readonly tagging: (typeof tagSources)[number];
  /** The embedded columns. */
  readonly columns: readonly EncodedColumn[];
  /** The label of the outermost bracket. */
  readonly outermost: string;
  readonly maxLength: number;
}

/** Reads the settings from a model's header; throws `InputError` if they are not valid. */
export function spansSettings(fields: HeaderFields): SpansSettings {
  const columns = fields.texts('columns');
  if (!columns.every(isEncodedColumn)) fields.refuse('columns', 'names of columns');
  return {
    tags: ['xpos'],
    tagging: fields.choice('tagging', tagSources),
    normalize: fields.flag('normalize'),
    stem: 'none',
    columns,
    outermost: fields.text('outermost'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    ...layerSizes(fields),
  };
}
