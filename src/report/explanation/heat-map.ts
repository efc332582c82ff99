import type { MatrixExplanation } from '../../explain/matrix.ts';
import { type Html, html, shadeOf } from '../html/html.ts';
import { htmlTable, words } from '../html/html-table.ts';
import { displayWidth, fitted } from '../tables/text-width.ts';
import { builtTree } from './section.ts';

/** From probability 0 to 1. */
const shades = [' ', '░', '▒', '▓', '█'];
/** The least probability for each shade. */
const least = [0, 0.005, 0.1, 0.4, 0.8];
/** Width of a column in cells. */
const CELL = 3;
const MOST_NAME = 16;

/** Arc probabilities in block characters (row = head), split into maps of at most `width` cells. */
export function heatMap(explained: MatrixExplanation, width: number): string[] {
  const { marginals, tokens } = explained;
  const tree = builtTree(explained);
  const n = tokens.length - 1;
  const names = tokens.map(({ form }, h) => `${h} ${h === 0 ? '(root)' : form}`);
  const room = Math.min(MOST_NAME, Math.max(...names.map(displayWidth)));
  const columns = Math.max(1, Math.floor((width - room - 1) / CELL));
  const lines: string[] = [];
  for (let first = 1; first <= n; first += columns) {
    const last = Math.min(n, first + columns - 1);
    const dependents = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    if (first > 1) lines.push('');
    lines.push(`${' '.repeat(room)} ${dependents.map((d) => String(d).padStart(CELL)).join('')}`.trimEnd());
    for (const [h, name] of names.entries()) {
      const cells = dependents.map((d) => cellOf(marginals[h][d], tree.heads[d] === h));
      lines.push(`${fitted(name, room)} ${cells.join('')}`.trimEnd());
    }
  }
  return lines;
}

export const heatMapLegend = `Row: head, column: dependent; least probability of each shade: ${shades
  .slice(1)
  .map((shade, i) => `${shade} ${least[i + 1]}`)
  .join(', ')}; ◆: arcs of the tree.`;

function cellOf(marginal: number | null, isInTree: boolean): string {
  if (marginal === null) return '  ·';
  const shade = shades[least.findLastIndex((bound) => marginal >= bound)];
  return ` ${shade}${isInTree ? '◆' : shade}`;
}

/** The probabilities of all arcs as an HTML table, row = head, column = dependent. */
export function heatTable(explained: MatrixExplanation): Html {
  const { marginals, tokens } = explained;
  const tree = builtTree(explained);
  const rows = marginals.map((row, h) => [
    words(h === 0 ? 'the root' : `${h} ${tokens[h].form}`),
    ...row.slice(1).map((marginal, i) => heatCell(marginal, tree.heads[i + 1] === h)),
  ]);
  const columns = tokens.map(({ form }, d) =>
    d === 0 ? { title: 'Head' } : { title: html`${d} ${words(form)}`, figures: true, kind: 'shaded' },
  );
  const caption = 'Probability of every arc in percent; row: head, column: dependent; ◆: arcs of the tree';
  return html`<div class="heat">${htmlTable({ caption, columns, rows })}</div>`;
}

function heatCell(marginal: number | null, isInTree: boolean): Html {
  if (marginal === null) return html`<span>·</span>`;
  const percent = Math.round(100 * marginal);
  return html`<span data-shade="${shadeOf(marginal)}">${percent === 0 && !isInTree ? '' : percent}${isInTree ? ' ◆' : ''}</span>`;
}
