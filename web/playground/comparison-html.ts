import type { Comparison } from '../../src/evaluate/comparison/comparison.ts';
import { html } from '../../src/report/html/html.ts';
import { titledTable } from '../../src/report/html/html-table.ts';
import { rankingSection } from '../../src/report/html/significance-section.ts';
import { comparisonTables } from '../../src/report/tables/comparison-tables.ts';
import { answer, groupNote } from '../../src/report/tables/ranking.ts';

/** Rows per list of errors and sentences. */
const MOST_ROWS = 10;

/** Renders a comparison as part of a page: which parser is best, the ranking, and all tables, folded. */
export function comparisonHtml(comparison: Comparison): string {
  const tables = comparisonTables(comparison, MOST_ROWS).map(
    (table) => html`<details><summary>${table.title}</summary>${titledTable(table)}</details>\n`,
  );
  return html`<p class="answer">${answer(comparison)}</p>
${rankingSection(comparison)}
<p class="note">${groupNote}</p>
<details><summary>All tables</summary>${tables}</details>`.text;
}
