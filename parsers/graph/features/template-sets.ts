import {
  chosenOf,
  type TemplateChoice,
  type TemplateChooser,
} from '../../../src/encoding/templates/choice.ts';
import type { TemplateGroup } from '../../../src/encoding/templates/template-file.ts';
import { OptionError } from '../../../src/errors.ts';
import { type GraphSection, graphSections, type PartSection, readTemplate } from './templates.ts';

/**
 * Feature templates by groups. With two tag columns in use, a template with `t` stands for two, and `p` is
 * the universal tag: words go with one kind of tag only, since the other adds nothing but sparser copies (UD
 * English EWT: 85.7 for 85.5 UAS). Every feature counts twice: bare, and together with the arc's direction and
 * distance.
 */
const groups = {
  /** McDonald, Crammer & Pereira 2005, table 1a. */
  unigram: ['hf hp', 'hf', 'ht', 'df dp', 'df', 'dt'],
  /** Table 1b; the fifth is Bohnet's `hform:dform:hpos` as well. */
  bigram: ['hf hp df dp', 'hp df dp', 'hf df dp', 'hf hp dp', 'hf hp df', 'hf df', 'ht dt'],
  /** Table 1c: every tag between once, however often it stands there. */
  between: ['ht bt dt'],
  /** Table 1c: head, dependent and a neighbour of each. */
  surrounding: ['ht ht+1 dt-1 dt', 'ht-1 ht dt-1 dt', 'ht ht+1 dt dt+1', 'ht-1 ht dt dt+1'],
  /** Bohnet 2010, table 4: tag trigrams. */
  bohnet: ['ht ht+1 dt', 'ht dt-1 dt', 'ht dt dt+1', 'ht-1 ht dt', 'ht-1 ht+1 dt-1 dt'],
  /** Our own: words beside head and dependent, common words between (UD English EWT: +0.3 UAS each). */
  context: ['hf-1 hp dp', 'hp hf+1 dp', 'hp df-1 dp', 'hp dp df+1', 'hp bc dp'],
  /**
   * Agreement and case, from the column of morphological features if it is filled (after Corston-Oliver and
   * others 2006; UD Hungarian Szeged: +2 UAS, UD English EWT: +0.1).
   */
  morphology: ['hm', 'dm', 'hm dm', 'hm dp', 'hp dm', 'hm hp dm dp'],
} as const;

/** What can be asked for by name; `mcdonald` is all of the paper's table. */
export const templateSets = {
  mcdonald: [...groups.unigram, ...groups.bigram, ...groups.between, ...groups.surrounding],
  ...groups,
} satisfies Record<string, readonly string[]>;
type TemplateSetName = keyof typeof templateSets;
export const templateSetNames = Object.keys(templateSets) as [TemplateSetName, ...TemplateSetName[]];

/** The sets that parsers have unless told otherwise. */
export const standardSets: readonly TemplateSetName[] = ['mcdonald', 'bohnet', 'context', 'morphology'];

/**
 * Added where forms are backed off to stems (Corston-Oliver et al. 2006): the bigram templates over stems.
 */
const stemTemplates = ['hs', 'ds', 'hs ds', 'hs dp', 'hp ds', 'hs hp ds dp'] as const;

/**
 * What the labeller looks at. Found by measurement on UD English EWT: what stands between (prepositions above
 * all) matters most (+0.7 LAS), then the neighbours of the head (+0.1).
 */
export const labelTemplates = [
  ...['hp df dp', 'hf hp dp', 'hf df', 'ht dt', 'df dt', 'hf ht'],
  ...['ht dt-1 dt', 'ht dt dt+1', 'ht-1 ht dt', 'ht ht+1 dt', 'df df-1 dp', 'df dp dt+1'],
  ...['hp df-1 dp', 'hp dp df+1', 'ht bt dt', 'dp bf', 'df bp'],
] as const;

/**
 * What the labeller looks at besides in parsers of higher orders: where the arc stands in the tree. Chosen on English
 * training sentences (+0.45 LAS over trees as they are found, of which +0.2 come of the dependent's dependents).
 */
export const relativeLabelTemplates = [
  ...['gt ht dt', 'gf dp', 'gp hf dp', 'gp hp df'],
  ...['ht st dt', 'hp sf dp', 'hp sp df', 'ht nt dt', 'hp nf dp', 'hp np df', 'ht st dt nt'],
  ...['hp dp ap', 'hp dp af', 'df af', 'hf dp af', 'hp dp zp', 'hp dp zf', 'df zf', 'ht dt at zt'],
  ...['hp dp cp', 'hp dp cf', 'hf dp cf', 'df cp', 'cp', 'cf', 'dp cp', 'dp cf'],
  ...['hp dp op', 'hf dp op', 'hp dp of'],
] as const;

/** What the labeller looks at besides, where `morphology` is in use: case tells subjects from objects. */
const morphologyLabelTemplates = ['dm', 'hp dm', 'hm dm', 'hf dm'] as const;

/** And in parsers of higher orders. */
const morphologyRelativeTemplates = ['hp dm cm', 'dp cm', 'hp dm om'] as const;

/** The lowest order of parsers that score such parts. */
export const orderOf: Readonly<Record<PartSection, number>> = {
  siblings: 2,
  grandparents: 2,
  grandsiblings: 3,
};

/**
 * The built-in templates of parts larger than arcs: tags of all tokens, forms of one or two of them (McDonald &
 * Pereira 2006; Carreras 2007; Bohnet 2010, table 4), and tags of neighbours.
 */
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
 * Added where `morphology` is in use: agreement. On the last fifth of training parts they add to UAS and LAS 0.08 and 0.02
 * in UD French Sequoia, 0.10 and 0.11 in Czech CLTT, 0.29 and 0.34 in Uyghur UDT, -0.01 and -0.04 in English EWT (5,000
 * sentences); in Hungarian Szeged, on sentences held out likewise, 0.4 and 0.5.
 */
const morphologyPartTemplates: Readonly<Partial<Record<PartSection, readonly string[]>>> = {
  siblings: ['hm sm dm', 'sm dm'],
  grandparents: ['gm hm dm', 'hm dm gp'],
};

/** The options that say which templates a parser has. */
interface TemplateOptions {
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
