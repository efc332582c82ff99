import { builtTree } from '../../../explain/built-tree.ts';
import type { MatrixExplanation } from '../../../explain/matrix.ts';
import { type Html, html } from '../html.ts';
import { htmlTable, words } from '../html-table.ts';
import { shadeOf } from '../shade.ts';

/** Heads below each other, dependents beside each other. */
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
  const caption =
    'The probability of every arc in percent: heads below each other, dependents beside each other; those of the tree are marked';
  return html`<div class="heat">${htmlTable({ caption, columns, rows })}</div>`;
}

function heatCell(marginal: number | null, isInTree: boolean): Html {
  if (marginal === null) return html`<span>·</span>`;
  const percent = Math.round(100 * marginal);
  return html`<span data-shade="${shadeOf(marginal)}">${percent === 0 && !isInTree ? '' : percent}${isInTree ? ' ◆' : ''}</span>`;
}
