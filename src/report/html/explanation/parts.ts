import type { ParseExplanation } from '../../../explain/explanation.ts';
import type { ExplanationSection } from '../../explanation/section.ts';
import { explanationSections } from '../../explanation/sections.ts';
import { html } from '../html.ts';
import { titledTable } from '../html-table.ts';
import type { Section } from '../page.ts';
import { heatTable } from './heat-table.ts';
import { stepPart } from './steps.ts';

/**
 * An explanation as parts of a page: the search to step through (see `Stepper`), a heat map of scored arcs, and all
 * that the explanation has in tables.
 */
export function explanationParts(explained: ParseExplanation): Section[] {
  return [stepPart(explained), ...mapPart(explained), ...tableParts(explained)];
}

function mapPart(explained: ParseExplanation): Section[] {
  const scored = explained.paradigm === 'pipeline' ? explained.parser : explained;
  if (scored === undefined || !('marginals' in scored)) return [];
  return [{ id: 'map', link: 'Heat map', title: 'Heat map', content: heatTable(scored) }];
}

function tableParts(explained: ParseExplanation): Section[] {
  return explanationSections(explained).map(({ title, lines, tables }: ExplanationSection, i) => ({
    id: `part-${i + 1}`,
    link: title,
    title,
    content: html`${lines.map((line) => html`<p>${line}</p>`)}${tables.map(titledTable)}`,
  }));
}
