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
export type TemplateSetName = keyof typeof templateSets;
export const templateSetNames = Object.keys(templateSets) as [TemplateSetName, ...TemplateSetName[]];

/** The sets that parsers have unless told otherwise. */
export const standardSets: readonly TemplateSetName[] = ['mcdonald', 'bohnet', 'context', 'morphology'];

/**
 * Added where forms are backed off to stems (Corston-Oliver et al. 2006): the bigram templates over stems.
 */
export const stemTemplates = ['hs', 'ds', 'hs ds', 'hs dp', 'hp ds', 'hs hp ds dp'] as const;

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
export const morphologyLabelTemplates = ['dm', 'hp dm', 'hm dm', 'hf dm'] as const;

/** And in parsers of higher orders. */
export const morphologyRelativeTemplates = ['hp dm cm', 'dp cm', 'hp dm om'] as const;
