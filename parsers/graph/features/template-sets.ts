import type { TemplateChoice, TemplateChooser } from '../../../src/encoding/templates/choice.ts';
import { chosenOf } from '../../../src/encoding/templates/choice.ts';
import type { TemplateGroup } from '../../../src/encoding/templates/template-file.ts';
import { OptionError } from '../../../src/errors.ts';
import type { GraphSection, PartSection } from './templates.ts';
import { graphSections, partNotations, readTemplate } from './templates.ts';

/**
 * Feature templates of arcs, in groups. With two tag columns in use, a template with `t` denotes two templates, and `p` is
 * the universal tag: words are combined with that one only, as the other would add sparser copies (UD English EWT: 85.7 UAS,
 * with both 85.5). Every feature occurs twice: alone, and conjoined with direction and distance of the arc.
 */
const groups = {
  /** McDonald, Crammer & Pereira 2005, table 1a. */
  unigram: ['hf hp', 'hf', 'ht', 'df dp', 'df', 'dt'],
  /** Table 1b; the fifth is Bohnet's `hform:dform:hpos` as well. */
  bigram: ['hf hp df dp', 'hp df dp', 'hf df dp', 'hf hp dp', 'hf hp df', 'hf df', 'ht dt'],
  /** Table 1c: every distinct tag between. */
  between: ['ht bt dt'],
  /** Table 1c: head, dependent and a neighbour of each. */
  surrounding: ['ht ht+1 dt-1 dt', 'ht-1 ht dt-1 dt', 'ht ht+1 dt dt+1', 'ht-1 ht dt dt+1'],
  /** Bohnet 2010, table 4: tag trigrams. */
  bohnet: ['ht ht+1 dt', 'ht dt-1 dt', 'ht dt dt+1', 'ht-1 ht dt', 'ht-1 ht+1 dt-1 dt'],
  /** Not from a paper: words beside head and dependent, common words between (UD English EWT: +0.3 UAS each). */
  context: ['hf-1 hp dp', 'hp hf+1 dp', 'hp df-1 dp', 'hp dp df+1', 'hp bc dp'],
  /** Agreement and case, after Corston-Oliver et al. 2006 (UD Hungarian Szeged: +2 UAS, UD English EWT: +0.1). */
  morphology: ['hm', 'dm', 'hm dm', 'hm dp', 'hp dm', 'hm hp dm dp'],
  /** Single attributes of FEATS, which refine tags (after McDonald, Lerman & Pereira 2006, who pair different ones, too). */
  attributes: [
    ...['hp hm:* dp', 'hp dp dm:*', 'hp hm:* dp dm:*', 'hf dm:*', 'hf hp dp dm:*'],
    ...['hp dp-1 dp dm:*', 'hp dp dm:* dp+1', 'hp hp+1 dp dm:*', 'hp-1 hp dp dm:*', 'hp bp dp dm:*'],
  ],
} as const;

/** Template sets by name; `mcdonald` has all templates of the paper's table 1. */
export const templateSets = {
  mcdonald: [...groups.unigram, ...groups.bigram, ...groups.between, ...groups.surrounding],
  ...groups,
} satisfies Record<string, readonly string[]>;
type TemplateSetName = keyof typeof templateSets;
export const templateSetNames = Object.keys(templateSets) as [TemplateSetName, ...TemplateSetName[]];

export const standardSets: readonly TemplateSetName[] = [
  'mcdonald',
  'bohnet',
  'context',
  'morphology',
  'attributes',
];

/** Bigram templates over stems, added if forms are backed off to stems (Corston-Oliver et al. 2006). */
const stemTemplates = ['hs', 'ds', 'hs ds', 'hs dp', 'hp ds', 'hs hp ds dp'] as const;

/** Templates of labels (UD English EWT: words between, mostly prepositions, +0.7 LAS; neighbours of the head +0.1). */
export const labelTemplates = [
  ...['hp df dp', 'hf hp dp', 'hf df', 'ht dt', 'df dt', 'hf ht'],
  ...['ht dt-1 dt', 'ht dt dt+1', 'ht-1 ht dt', 'ht ht+1 dt', 'df df-1 dp', 'df dp dt+1'],
  ...['hp df-1 dp', 'hp dp df+1', 'ht bt dt', 'dp bf', 'df bp'],
] as const;

/**
 * Additional templates of labels in parsers of higher orders: the arc's relatives in the tree. Chosen on English
 * training sentences (+0.45 LAS on predicted trees, +0.2 of it from the dependent's dependents).
 */
export const relativeLabelTemplates = [
  ...['gt ht dt', 'gf dp', 'gp hf dp', 'gp hp df'],
  ...['ht st dt', 'hp sf dp', 'hp sp df', 'ht nt dt', 'hp nf dp', 'hp np df', 'ht st dt nt'],
  ...['hp dp ap', 'hp dp af', 'df af', 'hf dp af', 'hp dp zp', 'hp dp zf', 'df zf', 'ht dt at zt'],
  ...['hp dp cp', 'hp dp cf', 'hf dp cf', 'df cp', 'cp', 'cf', 'dp cp', 'dp cf'],
  ...['hp dp op', 'hf dp op', 'hp dp of'],
] as const;

/** Additional templates of labels if `morphology` is in use: case distinguishes subjects from objects. */
const morphologyLabelTemplates = ['dm', 'hp dm', 'hm dm', 'hf dm'] as const;

const morphologyRelativeTemplates = ['hp dm cm', 'dp cm', 'hp dm om'] as const;

const attributeLabelTemplates = ['dp dm:*', 'hp dp dm:*', 'hf dm:*', 'hp hm:* dp dm:*'] as const;

/** Templates of larger parts (McDonald & Pereira 2006; Carreras 2007; Bohnet 2010, table 4), and tags of neighbours. */
const partTemplates: Readonly<Record<PartSection, readonly string[]>> = {
  siblings: [
    ...['ht st dt', 'st dt', 'sf df', 'sf dp', 'sp df'],
    ...['hf sp dp', 'hp sf dp', 'hp sp df'],
    ...['ht st dt-1 dt', 'ht st dt dt+1', 'ht st st+1 dt', 'ht st-1 st dt', 'ht ht+1 st dt', 'ht-1 ht st dt'],
  ],
  grandparents: [
    ...['gt ht dt', 'gt dt', 'gf df', 'gp df', 'gf dp'],
    ...['gf hp dp', 'gp hf dp', 'gp hp df'],
    ...['gt ht dt-1 dt', 'gt ht dt dt+1', 'gt gt+1 ht dt', 'gt-1 gt ht dt', 'gt ht ht+1 dt', 'gt ht-1 ht dt'],
  ],
  grandsiblings: ['gt ht st dt', 'gp hf sp dp', 'gf hp sp dp', 'gp hp sf dp', 'gp hp sp df', 'gt st dt'],
};

/**
 * Templates of parts that sets of arc templates bring along. `morphology` adds agreement. Gains in UAS and LAS on the last fifth of the training part: UD
 * French Sequoia 0.08 and 0.02, Czech CLTT 0.10 and 0.11, Uyghur UDT 0.29 and 0.34, English EWT (5,000 sentences) −0.01
 * and −0.04, Hungarian Szeged 0.4 and 0.5. `attributes` adds two subjects or objects of one verb, and case below a preposition.
 */
const additionalPartTemplates: Readonly<Record<PartSection, Partial<Record<TemplateSetName, string[]>>>> = {
  siblings: {
    morphology: ['hm sm dm', 'sm dm'],
    attributes: ['hp sp sm:* dp dm:*', 'hf sm:* dm:*'],
  },
  grandparents: {
    morphology: ['gm hm dm', 'hm dm gp'],
    attributes: ['gp hp dp dm:*', 'gp hp hm:* dp dm:*'],
  },
  grandsiblings: {},
};

interface TemplateOptions {
  readonly templates: readonly TemplateChoice<TemplateSetName, GraphSection>[];
  readonly stem: string;
  readonly order?: number | undefined;
}

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
  if ((asked.length === 0 || hasSet(templates)) && stem !== 'none')
    groups.push({ title: 'stems', templates: stemTemplates });
  checkStems(groups, stem);
  return groups;
}

function checkStems(groups: readonly TemplateGroup[], stem: string): void {
  const reading = groups
    .flatMap(({ templates }) => templates)
    .find((template) => readTemplate(template).some(({ value }) => value === 's'));
  if (stem === 'none' && reading !== undefined)
    throw new OptionError((option) => `template “${reading}” reads stems: it goes with ${option('stem')}`);
  if (stem !== 'none' && reading === undefined)
    throw new OptionError((option) => `${option('stem', stem)}: no template reads stems`);
}

/** Templates of labels: they read morphology if the arcs' templates do, and relatives of the arc from order 2 on. */
function labelGroups({ templates, order = 1 }: TemplateOptions): TemplateGroup[] {
  const asked = chosenOf(templates, 'labels', graphSections.labels, {});
  const isWith = (set: TemplateSetName) =>
    templates.includes(set) || (!hasSet(templates) && asked.length === 0);
  const isOfTree = asked.length === 0 && order > 1;
  const ofMorphology = [...morphologyLabelTemplates, ...(isOfTree ? morphologyRelativeTemplates : [])];
  return [
    ...(asked.length > 0 ? asked : [{ title: 'standard', templates: labelTemplates }]),
    ...(isOfTree ? [{ title: 'relatives', templates: relativeLabelTemplates }] : []),
    ...(isWith('morphology') ? [{ title: 'morphology', templates: ofMorphology }] : []),
    ...(isWith('attributes') ? [{ title: 'attributes', templates: attributeLabelTemplates }] : []),
  ];
}

function hasSet(templates: TemplateOptions['templates']): boolean {
  return templates.some((choice) => typeof choice === 'string');
}

/** Templates of parts with several arcs. Orders that do not score them have none, and refuse given ones. */
function partGroups(section: PartSection, { templates, order = 1 }: TemplateOptions): TemplateGroup[] {
  const asked = chosenOf(templates, section, graphSections[section], {});
  const lowest = partNotations[section].order;
  if (order < lowest) {
    if (asked.length === 0) return [];
    throw new OptionError(
      (option) => `templates of ${section} go with ${option('order', lowest)}, not with ${order}`,
    );
  }
  if (asked.length > 0) return asked;
  const additional = Object.entries(additionalPartTemplates[section])
    .map(([title, added]) => ({ title, templates: added }))
    .filter(({ title }) => templates.includes(title as TemplateSetName) || !hasSet(templates));
  return [{ title: 'standard', templates: partTemplates[section] }, ...additional];
}
