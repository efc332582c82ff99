import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import { columnsOfValue, turnsOf } from '../../../src/encoding/templates/column-values.ts';
import { canonical, Notation, type TemplateField } from '../../../src/encoding/templates/notation.ts';
import { UsageError } from '../../../src/errors.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';

/** `hf-1 hp dp bf`: what is read at the head of an arc, at its dependent, and at each word between them. */
export const arcNodes = {
  h: 'the head of the arc',
  d: 'its dependent',
  b: 'each word between them, in one field at most',
};
export const arcNotation = new Notation({
  nodes: arcNodes,
  columns: ['f', 'c', 's', 'l', 'm', 'p', 'x', 't'],
});

/** One field of a template. */
export interface Field {
  readonly column: EncodedColumn;
  readonly offset: number;
}

/** A template taken apart: what it reads at the head, at the dependent, and at each word between them. */
export interface Template {
  readonly name: string;
  readonly head: readonly Field[];
  readonly dependent: readonly Field[];
  readonly between: readonly Field[];
}

/**
 * The templates that a list stands for, over the tag columns in use: at least one, the first for `p`. Those
 * that read a column that there is not are left out.
 */
export function templatesOver(names: readonly string[], tags: readonly TagColumn[]): Template[] {
  return [...new Set(names.map(canonical))].flatMap((name) => {
    const fields = readTemplate(name);
    return turnsOf(fields, tags).flatMap((turn) => template(name, fields, tags, turn) ?? []);
  });
}

/** The fields of a template; throws `UsageError` where they are none, or none that go together. */
export function readTemplate(name: string): TemplateField[] {
  const fields = arcNotation.read(name);
  const between = fields.filter(({ node }) => node === 'b');
  // What stands between is counted once for each value that one field has there.
  if (between.length > 1 || between.some(({ offset }) => offset !== 0)) {
    throw new UsageError(
      `template “${name}”: more than one field of a word between, or one of its neighbour`,
    );
  }
  return fields;
}

function template(
  name: string,
  fields: readonly TemplateField[],
  tags: readonly TagColumn[],
  turn: TagColumn,
): Template | undefined {
  const read = fields.map(({ node, value, offset }) => ({
    node,
    field: { column: columnsOfValue(value, tags, turn)[0], offset },
  }));
  if (read.some(({ field }) => field.column === undefined)) return undefined;
  const of = (wanted: string) => read.filter(({ node }) => node === wanted).map(({ field }) => field);
  return { name, head: of('h'), dependent: of('d'), between: of('b') };
}

/** The columns that templates read, each once. */
export function columnsOf(templates: readonly Template[]): EncodedColumn[] {
  const fields = templates.flatMap(({ head, dependent, between }) => [...head, ...dependent, ...between]);
  return [...new Set(fields.map(({ column }) => column))];
}
