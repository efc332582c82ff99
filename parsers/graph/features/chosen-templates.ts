import {
  chosenOf,
  type TemplateChoice,
  type TemplateChooser,
} from '../../../src/encoding/templates/choice.ts';
import type { TemplateGroup } from '../../../src/encoding/templates/template-file.ts';
import { OptionError } from '../../../src/errors.ts';
import { morphologyPartTemplates, orderOf, partTemplates } from './part-template-sets.ts';
import type { PartSection } from './part-templates.ts';
import { type GraphSection, graphSections } from './sections.ts';
import {
  labelTemplates,
  morphologyLabelTemplates,
  morphologyRelativeTemplates,
  relativeLabelTemplates,
  standardSets,
  stemTemplates,
  type TemplateSetName,
  templateSetNames,
  templateSets,
} from './template-sets.ts';
import { readTemplate } from './templates.ts';

/** The options that say which templates a parser has. */
export interface TemplateOptions {
  readonly templates: readonly TemplateChoice<TemplateSetName, GraphSection>[];
  readonly stem: string;
  readonly order?: number | undefined;
}

/** Which templates arcs are scored and labels chosen by. */
export const graphTemplates: TemplateChooser<TemplateOptions, GraphSection> = {
  sections: graphSections,
  sets: templateSetNames,
  choose: (options) => ({
    arcs: arcGroups(options),
    labels: labelGroups(options),
    siblings: partGroups('siblings', options),
    grandparents: partGroups('grandparents', options),
    grandsiblings: partGroups('grandsiblings', options),
  }),
};

function arcGroups({ templates, stem }: TemplateOptions): TemplateGroup[] {
  const { arcs } = graphSections;
  const asked = chosenOf(templates, 'arcs', arcs, templateSets);
  const groups = asked.length > 0 ? asked : chosenOf(standardSets, 'arcs', arcs, templateSets);
  const hasSets = asked.length === 0 || templates.some((choice) => typeof choice === 'string');
  if (hasSets && stem !== 'none') groups.push({ title: 'stems', templates: stemTemplates });
  checkStems(groups, stem);
  return groups;
}

/** Refuses stems that no template reads, and templates of stems where there are none. */
function checkStems(groups: readonly TemplateGroup[], stem: string): void {
  const reading = groups
    .flatMap(({ templates }) => templates)
    .find((template) => readTemplate(template).some(({ value }) => value === 's'));
  if (stem === 'none' && reading !== undefined) {
    throw new OptionError((option) => `template “${reading}” reads stems: it goes with ${option('stem')}`);
  }
  if (stem !== 'none' && reading === undefined) {
    throw new OptionError((option) => `${option('stem', stem)}: no template reads stems`);
  }
}

/**
 * Case tells subjects from objects: where arcs are scored by morphology, so are labels. Where arcs are not scored
 * alone, labels are not chosen alone either.
 */
function labelGroups({ templates, order = 1 }: TemplateOptions): TemplateGroup[] {
  const asked = chosenOf(templates, 'labels', graphSections.labels, {});
  const isWithMorphology = templates.includes('morphology') || (hasNoSet(templates) && asked.length === 0);
  const isOfTree = asked.length === 0 && order > 1;
  const ofMorphology = [...morphologyLabelTemplates, ...(isOfTree ? morphologyRelativeTemplates : [])];
  return [
    ...(asked.length > 0 ? asked : [{ title: 'standard', templates: labelTemplates }]),
    ...(isOfTree ? [{ title: 'relatives', templates: relativeLabelTemplates }] : []),
    ...(isWithMorphology ? [{ title: 'morphology', templates: ofMorphology }] : []),
  ];
}

/** Whether no built-in set is asked for by name: what no file says is then as without any. */
function hasNoSet(templates: TemplateOptions['templates']): boolean {
  return !templates.some((choice) => typeof choice === 'string');
}

/** Templates of parts larger than arcs: none, and none can be given, where the order leaves them out. */
function partGroups(section: PartSection, { templates, order = 1 }: TemplateOptions): TemplateGroup[] {
  const asked = chosenOf(templates, section, graphSections[section], {});
  if (order < orderOf[section]) {
    if (asked.length === 0) return [];
    throw new OptionError(
      (option) => `templates of ${section} go with ${option('order', orderOf[section])}, not with ${order}`,
    );
  }
  if (asked.length > 0) return asked;
  const ofMorphology = morphologyPartTemplates[section];
  const isWithMorphology = templates.includes('morphology') || hasNoSet(templates);
  return [
    { title: 'standard', templates: partTemplates[section] },
    ...(isWithMorphology && ofMorphology !== undefined
      ? [{ title: 'morphology', templates: ofMorphology }]
      : []),
  ];
}
