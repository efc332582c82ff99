import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { MOST_GUIDES } from '../../src/encoding/guides.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { savedTemplates } from '../../src/encoding/templates/template-file.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import { transitionSections } from './features/templates.ts';
import { type StackSystemName, stackSystemNames } from './systems/registry.ts';

/** From which end sentences are parsed. */
export const directions = ['left-to-right', 'right-to-left'] as const;
export type Direction = (typeof directions)[number];

/**
 * What a trained transition-based parser must know of how it was trained: some options, and what the data
 * decided.
 */
export interface TransitionSettings extends NumberingSettings {
  readonly system: StackSystemName;
  readonly direction: Direction;
  /** How many configurations the search keeps; 0: it takes the best action, and then its best label. */
  readonly beam: number;
  readonly templates: readonly string[];
  readonly singleRoot: boolean;
  /** There are 2^n weights. */
  readonly bits: number;
  readonly maxLength: number;
  /** Other parsers whose trees it looks at; absent: none. */
  readonly guides?: number | undefined;
}

/** The settings in a model's header; throws `InputError` where they are not such. */
export function transitionSettings(fields: HeaderFields): TransitionSettings {
  return {
    system: fields.choice('system', stackSystemNames),
    direction: fields.choice('direction', directions),
    beam: fields.integer('beam', 0, 256),
    tags: tagsIn(fields),
    templates: savedTemplates(fields, 'templates', transitionSections.transitions),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    bits: fields.integer('bits', 10, 28),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    guides: fields.has('guides') ? fields.integer('guides', 1, MOST_GUIDES) : undefined,
  };
}
