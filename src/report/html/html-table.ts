import type { Interval } from '../../evaluate/significance/resampling.ts';
import { round } from '../svg.ts';
import { type Cell, type Column, shownCell, type TitledTable } from '../tables/table.ts';
import { type Html, type HtmlValue, html } from './html.ts';

/** The part of the page's address that selects sentences, by the fields of the filter: `{ gold: 'obl', wrong: '0' }`. */
export type SentenceAddress = Readonly<Record<string, string>>;

export const sentenceLink = (address: SentenceAddress, content: HtmlValue): Html =>
  html`<a href="#${new URLSearchParams(address).toString()}">${content}</a>`;

/** Links a number or share of words to these words, unless it is 0 or NaN. */
export function linkedFigure(value: number, address: SentenceAddress, text = value.toLocaleString('en-US')) {
  return value === 0 || Number.isNaN(value) ? text : sentenceLink(address, text);
}

interface HtmlColumn {
  readonly title: HtmlValue;
  readonly figures?: boolean | undefined;
  readonly kind?: string | undefined;
}

/** A right-aligned column; `kind` is a class of its cells. */
export const figureColumn = (title: HtmlValue, kind?: string): HtmlColumn => ({ title, figures: true, kind });

interface HtmlTable {
  readonly caption: HtmlValue;
  readonly columns: readonly HtmlColumn[];
  readonly rows: readonly (readonly HtmlValue[])[];
}

export function htmlTable({ caption, columns, rows }: HtmlTable): Html {
  const classes = columns.map(({ figures, kind = '' }) => {
    const names = `${figures ? 'figure ' : ''}${kind}`.trim();
    return names === '' ? undefined : html` class="${names}"`;
  });
  const heads = columns.map(({ title }, i) => html`<th scope="col"${classes[i]}>${title}</th>`);
  const body = rows.map((cells) => {
    const [first, ...others] = cells.map((cell, i) =>
      i === 0 ? html`<th scope="row"${classes[i]}>${cell}</th>` : html`<td${classes[i]}>${cell}</td>`,
    );
    return html`<tr>${first}${others}</tr>\n`;
  });
  return html`<div class="scroll" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${body}</tbody>
</table></div>
`;
}

export const titledTable = (table: TitledTable): Html => linkedTable(table, () => undefined);
/** Returns the sentences behind a cell; undefined: none. */
export type AddressOf = (row: number, column: number) => SentenceAddress | undefined;

export function linkedTable({ title, table: { columns, rows }, notes }: TitledTable, addressOf: AddressOf) {
  const shown = (cell: Cell, column: Column, address: SentenceAddress | undefined) => {
    const text = typeof cell === 'string' ? words(cell) : shownCell(cell, column);
    return address === undefined ? text : sentenceLink(address, text);
  };
  const table = htmlTable({
    caption: title,
    columns: columns.map(({ title, isName, align }) => ({
      title: isName ? words(title) : capitalised(title),
      figures: align === 'right',
    })),
    rows: rows.map((cells, row) => cells.map((cell, i) => shown(cell, columns[i], addressOf(row, i)))),
  });
  return html`${table}${notes.map((note) => html`<p class="note">${note}</p>\n`)}`;
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** Isolates text in a script of unknown direction from the text around it. */
export const words = (text: string): Html => html`<bdi>${text}</bdi>`;

export const figure = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(2);

const width = 130;
const height = 18;
const inset = 6;

/** Draws small pictures of values with intervals, one per row; screen readers skip them, since they repeat the table. */
export function intervalMarks(
  estimates: readonly (Interval & { readonly value: number })[],
  { zero }: { zero: boolean },
): Html[] {
  const ends = estimates.flatMap(({ low, high }) => [low, high]);
  if (zero) ends.push(0);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const scale = (width - 2 * inset) / (last - first || 1);
  const x = (value: number) => round(inset + (value - first) * scale);
  const middle = height / 2;
  const line = zero ? html`<path class="zero" d="M${x(0)},0V${height}"/>` : undefined;
  return estimates.map(
    ({ value, low, high }) =>
      html`<svg class="interval" aria-hidden="true" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${line}<path class="range" d="M${x(low)},${middle}H${x(high)}M${x(low)},${middle - 4}v8M${x(high)},${middle - 4}v8"/><circle cx="${x(value)}" cy="${middle}" r="4"/></svg>`,
  );
}
