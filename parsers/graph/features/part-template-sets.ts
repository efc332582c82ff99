import type { PartSection } from './part-templates.ts';

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
export const partTemplates: Readonly<Record<PartSection, readonly string[]>> = {
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
 * Added where `morphology` is in use: agreement (of training sentences held out: UD English EWT, a third of it learnt from,
 * +0.25 UAS; UD Hungarian Szeged +0.4, more than forms or lemmas of three tokens add).
 */
export const morphologyPartTemplates: Readonly<Partial<Record<PartSection, readonly string[]>>> = {
  siblings: ['hm sm dm', 'sm dm'],
  grandparents: ['gm hm dm', 'hm dm gp'],
};
