import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import type { TemplateSection, TemplateSections } from '../../../src/encoding/templates/template-file.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import {
  arcTemplatesOf,
  labelNotation,
  readLabelTemplate,
  relativeKinds,
  relativeTemplatesOf,
} from './label-templates.ts';
import { columnsOfParts, type PartSection, partColumns, partSections } from './part-templates.ts';
import { arcNotation, columnsOf, readTemplate, templatesOver } from './templates.ts';

/** The lists of templates that a parser may have. */
export type GraphSection = 'arcs' | 'labels' | PartSection;
/** Those that a parser has: of parts only where it scores them. */
export type GraphTemplates = Readonly<Record<'arcs' | 'labels', readonly string[]>> & {
  readonly [Section in PartSection]?: readonly string[] | undefined;
};

const arcs: TemplateSection = { legend: arcNotation.legend(), check: readTemplate };
const labels: TemplateSection = { legend: labelNotation.legend(), check: readLabelTemplate };
export const graphSections: TemplateSections<GraphSection> = { arcs, labels, ...partSections };

/** The columns that templates read over the tag columns in use, each once. */
export function columnsInUse(
  { arcs, labels, ...parts }: GraphTemplates,
  tags: readonly TagColumn[],
): EncodedColumn[] {
  const ofArcs = columnsOf([...templatesOver(arcs, tags), ...templatesOver(arcTemplatesOf(labels), tags)]);
  const ofRelatives = relativeKinds.flatMap((kind) =>
    columnsOfParts(relativeTemplatesOf(kind, labels, tags)),
  );
  return [...new Set([...ofArcs, ...partColumns(parts, tags), ...ofRelatives])];
}
