import { UsageError } from '../../errors.ts';
import type { TagColumn } from '../../treebank/columns/names.ts';
import type { EncodedColumn } from '../columns.ts';

/** The values that come from columns, by their letters in templates. */
export const columnValues = {
  f: 'form',
  c: 'form, if the word is a frequent one',
  s: 'stem, if forms are backed off to stems',
  l: 'lemma',
  m: 'morphological features',
  p: 'tag; of two tag columns, the coarse one',
  x: 'fine tag, from the second tag column',
  px: 'both tags as one value',
  t: 'tag; with two tag columns, the template denotes two',
} as const;
export type ColumnValue = keyof typeof columnValues;

/** A value that is replaced by each informative attribute in FEATS in turn. */
const EACH_ATTRIBUTE = 'm:*';

const attributeValues = {
  'm:Case': 'value of a morphological attribute, here Case',
  [EACH_ATTRIBUTE]: 'each informative attribute in turn, the same in all fields of the template',
};

const COLUMNS: Readonly<Record<string, EncodedColumn>> = {
  f: 'form',
  c: 'common',
  s: 'stem',
  l: 'lemma',
  m: 'feats',
};

export const isColumnValue = (value: string): boolean => value in columnValues || value.startsWith('m:');

/** Lists the attributes that templates name, without `*`. */
export function attributesNamed(templates: readonly string[]): string[] {
  const names = templates.flatMap((template) => [
    ...template.matchAll(/m:([^\s*<]+?)(?:[+-][1-9]\d?)?(?=[\s<]|$)/g),
  ]);
  return [...new Set(names.map(([, name]) => name))];
}

/** Replaces each template that reads `m:*` by one for each attribute. */
export function overAttributes(templates: readonly string[], attributes: readonly string[]): string[] {
  return templates.flatMap((template) =>
    template.includes(EACH_ATTRIBUTE)
      ? attributes.map((name) => template.replaceAll(EACH_ATTRIBUTE, `m:${name}`))
      : [template],
  );
}

/**
 * The columns that a value reads; none if the treebank has no such column.
 * @param tags the tag columns in use, the coarse one first
 * @param turn the tag column that `t` denotes
 */
export function columnsOfValue(
  value: string,
  tags: readonly TagColumn[],
  turn: TagColumn,
): readonly EncodedColumn[] {
  switch (value) {
    case 'p':
      return tags.slice(0, 1);
    case 'x':
      return tags.slice(1, 2);
    case 'px':
      return tags;
    case 't':
      return [turn];
    default:
      if (value.startsWith('m:')) return [`feats:${value.slice(2)}`];
      return value in COLUMNS ? [COLUMNS[value]] : [];
  }
}

/** The tag columns for which a template is instantiated: all if it reads `t`, else only the first. */
export function turnsOf(fields: readonly { readonly value: string }[], tags: readonly TagColumn[]) {
  return fields.some(({ value }) => value === 't') ? tags : tags.slice(0, 1);
}

/**
 * The notation of feature templates, shared by all parsers. A template is a list of fields separated by
 * spaces: `ht ht+1 dt`. A field is a node, one of its values and, to read a neighbouring token instead, an
 * offset: `ht+1` is the tag (`t`) of the token after (`+1`) the head of an arc (`h`). Moves lead from a node to
 * another: `s0L` is the leftmost child of `s0`. A word, such as `distance`, is a field without a node. Every
 * parser declares its nodes, moves, further values and words; `columnValues` are the same for all.
 */
export class Notation {
  private readonly field: RegExp;

  constructor(readonly declared: DeclaredFields) {
    const { nodes, numbered, moves = {}, columns, values = {} } = declared;
    const node = `(${anyOf(nodes)}${numbered ? '\\d' : ''})`;
    const column = `(${columns.includes('m') ? 'm:[^\\s]+?|' : ''}${anyOf(pick(columnValues, columns))})([+-][1-9]\\d?)?`;
    this.field = new RegExp(`^${node}(${anyOf(moves)}*)(?:${column}|(${anyOf(values)}))$`);
  }

  /** Parses a template; throws `UsageError` for an invalid field. */
  read(template: string): TemplateField[] {
    const texts = template.trim().split(/\s+/);
    return texts.map((text) => {
      const field = this.readField(text);
      if (field !== undefined) return field;
      throw new UsageError(`template “${template}”: “${text}” is not a field, expected ${this.expected()}`);
    });
  }

  private readField(text: string): TemplateField | undefined {
    const { words = {}, moves = {} } = this.declared;
    if (text in words) return { node: '', moves: [], value: text, offset: 0 };
    const [, node, path, column, offset = '0', value] = this.field.exec(text) ?? [];
    if (node === undefined) return undefined;
    return {
      node,
      moves: path === '' ? [] : path.match(new RegExp(anyOf(moves), 'g'))!,
      value: column ?? value,
      offset: Number(offset),
    };
  }

  private expected(): string {
    const { nodes, numbered, moves, columns, values = {}, words } = this.declared;
    const starts = Object.keys(nodes).map((name) => (numbered ? `${name}0, ${name}1…` : name));
    return [
      listed(starts),
      ...(moves === undefined ? [] : [`any of ${listed(Object.keys(moves))}`]),
      `one of ${listed([...columns, ...Object.keys(values)])}`,
      'and for a neighbour an offset, as in +1',
    ]
      .join(', ')
      .concat(words === undefined ? '' : `; or ${listed(Object.keys(words))}`);
  }

  /** Explains everything that is declared, and a parser's additions, in one line each. */
  legend(added: Meanings = {}): string[] {
    const { nodes, numbered, moves, columns, values, words } = this.declared;
    const numberedNodes = Object.entries(nodes).map(([name, meaning]) => [`${name}0`, meaning]);
    const all = {
      ...(numbered ? Object.fromEntries(numberedNodes) : nodes),
      ...moves,
      ...pick(columnValues, columns),
      ...(columns.includes('m') ? attributeValues : {}),
      ...values,
      '+1': 'of the token after (-1 before; any number up to 99)',
      ...words,
      ...added,
    };
    const width = Math.max(...Object.keys(all).map(({ length }) => length));
    return Object.entries(all).map(([name, meaning]) => `${name.padEnd(width)}  ${meaning}`);
  }
}

interface DeclaredFields {
  readonly nodes: Meanings;
  /** Whether nodes have a digit after their names: `s0`. */
  readonly numbered?: boolean;
  readonly moves?: Meanings;
  readonly columns: readonly ColumnValue[];
  readonly values?: Meanings;
  /** Fields without a node. */
  readonly words?: Meanings;
}

export type Meanings = Readonly<Record<string, string>>;

export interface TemplateField {
  /** Empty for a word, which is its own value. */
  readonly node: string;
  readonly moves: readonly string[];
  readonly value: string;
  readonly offset: number;
}

/** An offset as templates write it: `+1`, `-1`, or nothing for the token itself. */
export function offsetText(offset: number): string {
  if (offset === 0) return '';
  return offset > 0 ? `+${offset}` : String(offset);
}

export const canonical = (template: string): string => template.trim().split(/\s+/).join(' ');

/** A pattern that matches any of the names, the longest first; without names, one that never matches. */
function anyOf(names: Meanings): string {
  const all = Object.keys(names).sort((a, b) => b.length - a.length);
  return all.length === 0 ? '(?!)' : `(?:${all.join('|')})`;
}

function pick(meanings: Meanings, names: readonly string[]): Meanings {
  return Object.fromEntries(names.map((name) => [name, meanings[name]]));
}

/** Joins names: `a, b or c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
}
