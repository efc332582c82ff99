import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import type { ColumnValue, TemplateField } from '../../../src/encoding/templates/notation.ts';
import { canonical, columnsOfValue, Notation, turnsOf } from '../../../src/encoding/templates/notation.ts';
import type { TemplateSection, TemplateSections } from '../../../src/encoding/templates/template-file.ts';
import { UsageError } from '../../../src/errors.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';

/** Notation of arc templates, as in `hf-1 hp dp bf`: fields of the head, the dependent, and each word between them. */
const arcNodes = {
  h: 'the head of the arc',
  d: 'its dependent',
  b: 'each word between them, in one field at most',
};
export const arcNotation = new Notation({
  nodes: arcNodes,
  columns: ['f', 'c', 's', 'l', 'm', 'p', 'x', 't'],
});

export type Field = { readonly column: EncodedColumn; readonly offset: number };

/** A parsed template: the fields that it reads at the head, at the dependent, and at each word between them. */
export interface Template {
  readonly name: string;
  readonly head: readonly Field[];
  readonly dependent: readonly Field[];
  readonly between: readonly Field[];
}

/** Parses templates over the tag columns in use (`p` is the first); leaves out templates that read a missing column. */
export function templatesOver(names: readonly string[], tags: readonly TagColumn[]): Template[] {
  return [...new Set(names.map(canonical))].flatMap((name) => {
    return templateOverTokens(readTemplate(name), 'hdb', tags).map(([head, dependent, between]) => ({
      name,
      head,
      dependent,
      between,
    }));
  });
}

/** Reads the fields of a template; throws `UsageError` for unknown ones and unsupported combinations. */
export function readTemplate(name: string): TemplateField[] {
  const fields = arcNotation.read(name);
  const between = fields.filter(({ node }) => node === 'b');
  // Words between are counted by the distinct values of a single field.
  if (between.length > 1 || between.some(({ offset }) => offset !== 0)) {
    throw new UsageError(
      `template “${name}”: more than one field of a word between, or one of its neighbour`,
    );
  }
  return fields;
}

export function columnsOf(templates: readonly Template[]): EncodedColumn[] {
  const fields = templates.flatMap(({ head, dependent, between }) => [...head, ...dependent, ...between]);
  return [...new Set(fields.map(({ column }) => column))];
}

const relatives = {
  g: 'the head of the head',
  s: 'the next dependent of the head, inwards on the same side, or none',
  n: 'the next one outwards, or none',
  a: 'the first dependent of the dependent, if it stands before it, or none',
  z: 'the last one, if it stands after it, or none',
  c: 'each dependent of the dependent',
  o: 'each other dependent of the head',
};

/** Notation of label templates, as in `hp dp op`: labels are chosen for whole trees, so that they can read relatives. */
export const labelNotation = new Notation({
  nodes: { ...arcNodes, ...relatives },
  columns: arcNotation.declared.columns,
});

/** Letters of the tokens that a template of relatives may read, in the order of its fields. */
export const RELATIVE_TOKENS = 'ghdsnazco';

/** How often a template of relatives applies: once per arc, once per child of the dependent, or once per sibling. */
export const relativeKinds = ['once', 'children', 'siblings'] as const;
export type RelativeKind = (typeof relativeKinds)[number];

/** Reads the fields of a label template; throws `UsageError` for unknown ones and unsupported combinations. */
export function readLabelTemplate(name: string): TemplateField[] {
  const fields = labelNotation.read(name);
  if (!isOfRelatives(fields)) return readTemplate(name);
  // A template ranges over tokens of one kind at most.
  const several = new Set(fields.map(({ node }) => node).filter((node) => 'bco'.includes(node)));
  if (several.size > 1 || several.has('b'))
    throw new UsageError(`template “${name}”: b goes with h and d only, and c does not go with o`);
  return fields;
}

/** The templates of a list that read only the arc and the words between its ends. */
export function arcTemplatesOf(names: readonly string[]): string[] {
  return names.filter((name) => !isOfRelatives(labelNotation.read(name)));
}

export function relativeTemplatesOf(
  kind: RelativeKind,
  names: readonly string[],
  tags: readonly TagColumn[],
): PartTemplate[] {
  return [...new Set(names.map(canonical))]
    .map(readLabelTemplate)
    .filter((fields) => isOfRelatives(fields) && kindOf(fields) === kind)
    .flatMap((fields) => templateOverTokens(fields, RELATIVE_TOKENS, tags));
}

function isOfRelatives(fields: readonly TemplateField[]): boolean {
  return fields.some(({ node }) => node in relatives);
}

function kindOf(fields: readonly TemplateField[]): RelativeKind {
  if (fields.some(({ node }) => node === 'c')) return 'children';
  return fields.some(({ node }) => node === 'o') ? 'siblings' : 'once';
}

const nodes = {
  g: 'the head of the head of the arc',
  h: 'the head of the arc',
  s: 'the next dependent of the head, inwards on the same side, or none',
  d: 'the dependent of the arc; none after the last one',
};
/** Columns that templates of parts may read: no stems, as `s` is the sibling. */
const columns: readonly ColumnValue[] = ['f', 'c', 'l', 'm', 'p', 'x', 't'];

/** Parts of several arcs: the letters of their tokens, the notation of their templates, the lowest order that scores them. */
export const partNotations = {
  siblings: { tokens: 'hsd', notation: notationOver('hsd'), order: 2 },
  grandparents: { tokens: 'ghd', notation: notationOver('ghd'), order: 2 },
  grandsiblings: { tokens: 'ghsd', notation: notationOver('ghsd'), order: 3 },
} as const;
export type PartSection = keyof typeof partNotations;
export const partSectionNames = Object.keys(partNotations) as PartSection[];

function notationOver(tokens: string): Notation {
  return new Notation({
    nodes: Object.fromEntries(Object.entries(nodes).filter(([name]) => tokens.includes(name))),
    columns,
  });
}

const partSections = Object.fromEntries(
  Object.entries(partNotations).map(([name, { notation }]) => [
    name,
    { legend: notation.legend(), check: (template: string) => notation.read(template) },
  ]),
) as unknown as TemplateSections<PartSection>;

/** A parsed template of a part: for each of its tokens, the fields to read there. */
export type PartTemplate = readonly (readonly Field[])[];

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

/** Sorts the fields of a template by token; one result for each tag column that `t` denotes. */
function templateOverTokens(fields: readonly TemplateField[], tokens: string, tags: readonly TagColumn[]) {
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

export type GraphSection = 'arcs' | 'labels' | PartSection;
export type GraphTemplates = Readonly<Record<'arcs' | 'labels', readonly string[]>> & {
  readonly [Section in PartSection]?: readonly string[] | undefined;
};

const arcs: TemplateSection = { legend: arcNotation.legend(), check: readTemplate };
const labels: TemplateSection = { legend: labelNotation.legend(), check: readLabelTemplate };
export const graphSections: TemplateSections<GraphSection> = { arcs, labels, ...partSections };

/** The columns that any of a parser's templates read. */
export function columnsInUse({ arcs, labels, ...parts }: GraphTemplates, tags: readonly TagColumn[]) {
  const ofArcs = columnsOf([...templatesOver(arcs, tags), ...templatesOver(arcTemplatesOf(labels), tags)]);
  const larger = [
    ...partSectionNames.map((section) => partTemplatesOver(section, parts[section] ?? [], tags)),
    ...relativeKinds.map((kind) => relativeTemplatesOf(kind, labels, tags)),
  ];
  return [...new Set([...ofArcs, ...larger.flat(3).map(({ column }) => column)])];
}
