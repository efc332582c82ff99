import type { ColumnName, TagColumn } from '../../../src/encoding/columns.ts';
import { UsageError } from '../../../src/errors.ts';

/**
 * Feature templates, in a notation of their own: fields separated by blanks. A field names whose (`h` the
 * arc's head, `d` its dependent, `b` each word between them), which column (`f` form, `c` the form of a
 * common word, `s` stem, `l` lemma, `m` morphological features, `t` tag, `p` tag too), and the offset of a
 * neighbour: `ht ht+1 dt` reads the head's tag, the tag after it and the dependent's. Of words between, one
 * field is read.
 *
 * With two tag columns in use, a template with `t` stands for two, and `p` is the universal tag: words go
 * with one kind of tag only, since the other adds nothing but sparser copies (UD English EWT: 85.7 for 85.5
 * UAS). Every feature counts twice: bare, and together with the arc's direction and distance.
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
   * Agreement and case, from the column of morphological features where it is filled (after Corston-Oliver et
   * al. 2006; UD Hungarian Szeged: +2 UAS, UD English EWT: +0.1).
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

/** What the labeller looks at besides, where `morphology` is in use: case tells subjects from objects. */
const morphologyLabelTemplates = ['dm', 'hp dm', 'hm dm', 'hf dm'] as const;

/** One field of a template. */
export interface Field {
  readonly column: ColumnName;
  readonly offset: number;
}

/** A template taken apart: what it reads at the head, at the dependent, and at each word between them. */
export interface Template {
  readonly name: string;
  readonly head: readonly Field[];
  readonly dependent: readonly Field[];
  readonly between: readonly Field[];
}

const FIELD = /^([hdb])([fcslmtp])([+-]1)?$/;
const COLUMNS: Readonly<Record<string, ColumnName>> = {
  f: 'form',
  c: 'common',
  s: 'stem',
  l: 'lemma',
  m: 'feats',
};

/** What settings say of templates. */
interface TemplateSettings {
  readonly templates: readonly TemplateSetName[];
  readonly stem: string;
  /** The tag columns in use. */
  readonly tags: readonly TagColumn[];
}

/** The templates that arcs are scored by. */
export function arcTemplatesOf({ templates, stem, tags }: TemplateSettings): Template[] {
  const names = templates.flatMap((set): readonly string[] => templateSets[set]);
  return templatesOver(stem === 'none' ? names : [...names, ...stemTemplates], tags);
}

/** The templates that the labels of arcs are chosen by. */
export function labelTemplatesOf({ templates, tags }: Omit<TemplateSettings, 'stem'>): Template[] {
  const more = templates.includes('morphology') ? morphologyLabelTemplates : [];
  return templatesOver([...labelTemplates, ...more], tags);
}

/** The columns that either read, each once. */
export function columnsInUse(settings: TemplateSettings): ColumnName[] {
  return columnsOf([...arcTemplatesOf(settings), ...labelTemplatesOf(settings)]);
}

/** The templates that a list stands for, over the tag columns in use: at least one, the first for `p`. */
export function templatesOver(names: readonly string[], tags: readonly TagColumn[]): Template[] {
  return [...new Set(names)].flatMap((name) =>
    /\b[hdb]t/.test(name)
      ? tags.map((tag) => template(name, tag, tags[0]))
      : [template(name, tags[0], tags[0])],
  );
}

function template(name: string, tag: TagColumn, firstTag: TagColumn): Template {
  const parts = { h: [] as Field[], d: [] as Field[], b: [] as Field[] };
  for (const word of name.split(' ')) {
    const match = FIELD.exec(word);
    if (match === null) throw new UsageError(`template “${name}”: “${word}” is not a field`);
    const [, whose, column, offset = '0'] = match;
    const read = column === 't' ? tag : column === 'p' ? firstTag : COLUMNS[column];
    parts[whose as 'h' | 'd' | 'b'].push({ column: read, offset: Number(offset) });
  }
  // What stands between is counted once for each value that one field has there.
  if (parts.b.length > 1 || parts.b.some(({ offset }) => offset !== 0)) {
    throw new UsageError(
      `template “${name}”: more than one field of a word between, or one of its neighbour`,
    );
  }
  return { name, head: parts.h, dependent: parts.d, between: parts.b };
}

/** The columns that templates read, each once. */
export function columnsOf(templates: readonly Template[]): ColumnName[] {
  const fields = templates.flatMap(({ head, dependent, between }) => [...head, ...dependent, ...between]);
  return [...new Set(fields.map(({ column }) => column))];
}
