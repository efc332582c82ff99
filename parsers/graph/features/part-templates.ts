import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import { type ColumnValue, columnsOfValue, turnsOf } from '../../../src/encoding/templates/column-values.ts';
import { canonical, Notation, type TemplateField } from '../../../src/encoding/templates/notation.ts';
import type { TemplateSections } from '../../../src/encoding/templates/template-file.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import type { Field } from './templates.ts';

const nodes = {
  g: 'the head of the head of the arc',
  h: 'the head of the arc',
  s: 'the next dependent of the head, inwards on the same side, or none',
  d: 'the dependent of the arc; none, after the last one',
};
/** No stems: their letter is that of the sibling. */
const columns: readonly ColumnValue[] = ['f', 'c', 'l', 'm', 'p', 'x', 't'];

/**
 * Parts of trees that are larger than arcs, by the section of their templates. A template of theirs is a list of
 * fields as for arcs, of the tokens of the part, which are named by their letters in this order.
 */
export const partNotations = {
  siblings: { tokens: 'hsd', notation: notationOver('hsd') },
  grandparents: { tokens: 'ghd', notation: notationOver('ghd') },
  grandsiblings: { tokens: 'ghsd', notation: notationOver('ghsd') },
} as const;
export type PartSection = keyof typeof partNotations;
export const partSectionNames = Object.keys(partNotations) as PartSection[];

function notationOver(tokens: string): Notation {
  return new Notation({
    nodes: Object.fromEntries(Object.entries(nodes).filter(([name]) => tokens.includes(name))),
    columns,
  });
}

export const partSections = Object.fromEntries(
  Object.entries(partNotations).map(([name, { notation }]) => [
    name,
    { legend: notation.legend(), check: (template: string) => notation.read(template) },
  ]),
) as unknown as TemplateSections<PartSection>;

/** A template taken apart: what it reads at each token of the part. */
export type PartTemplate = readonly (readonly Field[])[];

/** The templates that a list stands for, over the tag columns in use (see `templatesOver`). */
export function partTemplatesOver(
  section: PartSection,
  names: readonly string[],
  tags: readonly TagColumn[],
): PartTemplate[] {
  const { tokens, notation } = partNotations[section];
  return [...new Set(names.map(canonical))].flatMap((name) =>
    templateOverTokens(notation.read(name), tokens, tags),
  );
}

/** A template by the letters of the tokens that it may read: several where it reads tags in turn. */
export function templateOverTokens(
  fields: readonly TemplateField[],
  tokens: string,
  tags: readonly TagColumn[],
): PartTemplate[] {
  return turnsOf(fields, tags).flatMap((turn) => {
    const read = fields.map(({ node, value, offset }) => ({
      node,
      field: { column: columnsOfValue(value, tags, turn)[0], offset },
    }));
    if (read.some(({ field }) => field.column === undefined)) return [];
    const of = (token: string) => read.filter(({ node }) => node === token).map(({ field }) => field);
    return [[...tokens].map(of)];
  });
}

/** The columns that templates of parts read. */
export function partColumns(
  templates: { readonly [Section in PartSection]?: readonly string[] | undefined },
  tags: readonly TagColumn[],
): EncodedColumn[] {
  return partSectionNames.flatMap((section) =>
    columnsOfParts(partTemplatesOver(section, templates[section] ?? [], tags)),
  );
}

export function columnsOfParts(templates: readonly PartTemplate[]): EncodedColumn[] {
  return templates.flat(2).map(({ column }) => column);
}
