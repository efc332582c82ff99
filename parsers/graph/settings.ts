import { decoderNames } from '../../src/decode/registry.ts';
import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { stemPattern } from '../../src/encoding/forms.ts';
import { MOST_GUIDES } from '../../src/encoding/guides.ts';
import { fineTagIn, type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { savedTemplates } from '../../src/encoding/templates/template-file.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import { distanceKinds } from './features/distance.ts';
import { type GraphTemplates, graphSections, partNotations, partSectionNames } from './features/templates.ts';

/** Settings of a trained graph parser: the options that parsing needs, and choices that depended on the data. */
export type GraphSettings = NumberingSettings &
  Readonly<Omit<ReturnType<typeof graphSettings>, keyof NumberingSettings>>;

/** Reads the settings in a model's header; throws `InputError` for malformed ones. */
export function graphSettings(fields: HeaderFields) {
  const templates = fields.fields('templates');
  const stem = fields.text('stem');
  if (!stemPattern.test(stem)) fields.refuse('stem', 'none, lemma, first-char or prefix:N');
  const order = fields.has('order') ? fields.integer('order', 2, 3) : undefined;
  const ofParts = partSectionNames
    .filter((name) => partNotations[name].order <= (order ?? 1))
    .map((name) => [name, savedTemplates(templates, name, graphSections[name])]);
  const all: GraphTemplates = {
    arcs: savedTemplates(templates, 'arcs', graphSections.arcs),
    labels: savedTemplates(templates, 'labels', graphSections.labels),
    ...Object.fromEntries(ofParts),
  };
  return {
    decoder: fields.choice('decoder', decoderNames),
    /** 2 or 3; absent in a first-order model. */
    order,
    templates: all,
    distance: fields.choice('distance', distanceKinds),
    tags: tagsIn(fields),
    fineTag: fineTagIn(fields),
    normalize: fields.flag('normalize'),
    stem,
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    guides: fields.has('guides') ? fields.integer('guides', 1, MOST_GUIDES) : undefined,
    /** Low bits of a hash reserved for a label; present if further training added more labels than they can hold. */
    labelBits: fields.has('labelBits') ? fields.integer('labelBits', 4, 12) : undefined,
  };
}
