import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { savedTemplates } from '../../src/encoding/templates/saved-templates.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import { type BigramSection, bigramSections } from './patterns/sections.ts';

/** How the arcs' probabilities are estimated. */
export const estimates = ['interpolated', 'zeman'] as const;

/** How the best tree is found: of all trees, of projective ones, or by Zeman's own search. */
export const bigramDecoders = ['chu-liu-edmonds', 'eisner', 'greedy'] as const;

/** What a trained bigram parser must know of how it was trained: some options, and what the data decided. */
export interface BigramSettings extends NumberingSettings {
  readonly estimate: (typeof estimates)[number];
  readonly decoder: (typeof bigramDecoders)[number];
  /** What is counted. */
  readonly templates: Readonly<Record<BigramSection, readonly string[]>>;
  /** Zeman's weight of pairs of forms against pairs of tags. */
  readonly lambda: number;
  readonly singleRoot: boolean;
  readonly maxLength: number;
}

/** The settings in a model's header; throws `InputError` where they are not such. */
export function bigramSettings(fields: HeaderFields): BigramSettings {
  const templates = fields.fields('templates');
  return {
    estimate: fields.choice('estimate', estimates),
    decoder: fields.choice('decoder', bigramDecoders),
    templates: {
      arcs: savedTemplates(templates, 'arcs', bigramSections.arcs),
      labels: savedTemplates(templates, 'labels', bigramSections.labels),
    },
    lambda: fields.number('lambda', 0, 1),
    tags: tagsIn(fields),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
  };
}
