import { type DecoderName, decoderNames } from '../../src/decode/registry.ts';
import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { stemPattern } from '../../src/encoding/stem.ts';
import { savedTemplates } from '../../src/encoding/templates/saved-templates.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import { type DistanceKind, distanceKinds } from './features/distance.ts';
import { type GraphTemplates, graphSections } from './features/templates.ts';

/** What a trained graph parser must know of how it was trained: some options, and what the data decided. */
export interface GraphSettings extends NumberingSettings {
  readonly decoder: DecoderName;
  readonly templates: GraphTemplates;
  readonly distance: DistanceKind;
  readonly singleRoot: boolean;
  readonly maxLength: number;
}

/** The settings in a model's header; throws `InputError` where they are not such. */
export function graphSettings(fields: HeaderFields): GraphSettings {
  const templates = fields.fields('templates');
  const stem = fields.text('stem');
  if (!stemPattern.test(stem)) fields.refuse('stem', 'none, lemma, first-char or prefix:N');
  return {
    decoder: fields.choice('decoder', decoderNames),
    templates: {
      arcs: savedTemplates(templates, 'arcs', graphSections.arcs),
      labels: savedTemplates(templates, 'labels', graphSections.labels),
    },
    distance: fields.choice('distance', distanceKinds),
    tags: tagsIn(fields),
    normalize: fields.flag('normalize'),
    stem,
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
  };
}
