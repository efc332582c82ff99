import { canonical, Notation, type TemplateField } from '../../../src/encoding/templates/notation.ts';
import { UsageError } from '../../../src/errors.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import { type PartTemplate, templateOverTokens } from './part-templates.ts';
import { arcNodes, arcNotation, readTemplate } from './templates.ts';

/** Where the arc stands in its tree. */
const relatives = {
  g: 'the head of the head',
  s: 'the next dependent of the head, inwards on the same side, or none',
  n: 'the next one outwards, or none',
  a: 'the first dependent of the dependent, if it stands before it, or none',
  z: 'the last one, if it stands after it, or none',
  c: 'each dependent of the dependent',
  o: 'each other dependent of the head',
};

/** `hp dp op`: labels are chosen for whole trees, so that what stands around the arc can be read, too. */
export const labelNotation = new Notation({
  nodes: { ...arcNodes, ...relatives },
  columns: arcNotation.declared.columns,
});

/** The tokens that a template of an arc's relatives may read, by their letters, in the order of its fields. */
export const RELATIVE_TOKENS = 'ghdsnazco';

/** How often a template of relatives is filled in: once, for each child of the dependent, or for each sibling. */
export const relativeKinds = ['once', 'children', 'siblings'] as const;
export type RelativeKind = (typeof relativeKinds)[number];

/** The fields of a template; throws `UsageError` where they are none, or none that go together. */
export function readLabelTemplate(name: string): TemplateField[] {
  const fields = labelNotation.read(name);
  if (!isOfRelatives(fields)) return readTemplate(name);
  // What there may be several of is gone through, and only one such thing.
  const several = new Set(fields.map(({ node }) => node).filter((node) => 'bco'.includes(node)));
  if (several.size > 1 || several.has('b')) {
    throw new UsageError(`template “${name}”: b goes with h and d only, and c does not go with o`);
  }
  return fields;
}

/** The templates of a list that read the arc and words between its ends, no more. */
export function arcTemplatesOf(names: readonly string[]): string[] {
  return names.filter((name) => !isOfRelatives(labelNotation.read(name)));
}

/** The other templates of a list, of one kind, over the tag columns in use (see `templatesOver`). */
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
