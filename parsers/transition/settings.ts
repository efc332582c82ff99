import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { MOST_GUIDES } from '../../src/encoding/guides.ts';
import { fineTagIn, type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { savedTemplates } from '../../src/encoding/templates/template-file.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import { transitionSections } from './features/templates.ts';
import { type StackSystemName, stackSystemNames } from './systems/registry.ts';

export const directions = ['left-to-right', 'right-to-left'] as const;
export type Direction = (typeof directions)[number];

/** Settings saved in the model: options that parsing needs, and values derived from the training data. */
export interface TransitionSettings extends NumberingSettings {
  readonly system: StackSystemName;
  readonly direction: Direction;
  /** Beam width; 0: greedy search, which chooses actions before labels. */
  readonly beam: number;
  readonly templates: readonly string[];
  readonly singleRoot: boolean;
  readonly bits: number;
  readonly maxLength: number;
  readonly guides?: number | undefined;
}

/** Reads the settings in a model's header; throws `InputError` for malformed ones. */
export function transitionSettings(fields: HeaderFields): TransitionSettings {
  return {
    system: fields.choice('system', stackSystemNames),
    direction: fields.choice('direction', directions),
    beam: fields.integer('beam', 0, 256),
    tags: tagsIn(fields),
    fineTag: fineTagIn(fields),
    templates: savedTemplates(fields, 'templates', transitionSections.transitions),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    bits: fields.integer('bits', 10, 28),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    guides: fields.has('guides') ? fields.integer('guides', 1, MOST_GUIDES) : undefined,
  };
}
