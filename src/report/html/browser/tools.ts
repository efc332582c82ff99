import { InputError } from '../../../errors.ts';
import { type Picture, stacked, svgDocument, svgText, wordSize } from '../../svg.ts';
import { latexFloat } from '../../tables/latex-table.ts';
import { type Cell, type Column, csvTable, type Table, withoutEmptyColumns } from '../../tables/table.ts';
import { makeButton } from './page.ts';

/** Makes tables sortable, and adds buttons that save them as CSV and LaTeX. */
export function startTableTools(root: ParentNode): void {
  for (const table of root.querySelectorAll('table')) {
    makeSortable(table);
    const title = table.caption?.textContent ?? document.title;
    const save = (extension: string, type: string, textOf: (table: Table) => string) => () =>
      saveFile(fileName(title, extension), type, textOf(shownTable(table)));
    const csv = saveButton('CSV', title, save('csv', 'text/csv', csvTable));
    const latexOf = (table: Table) => latexFloat({ title, table, notes: [] }, document.title);
    const latex = saveButton('LaTeX', title, save('tex', 'text/x-tex', latexOf));
    (table.closest('.scroll') ?? table).after(toolbar(csv, latex));
  }
}

const orders = {
  figure: ['descending', 'ascending', 'none'],
  text: ['ascending', 'descending', 'none'],
} as const;

function makeSortable(table: HTMLTableElement): void {
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  if (rows.length < 2) return;
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  heads.forEach((head, column) => {
    if (head.textContent === '') return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.append(...head.childNodes);
    head.append(button);
    const cycle: readonly string[] = orders[head.classList.contains('figure') ? 'figure' : 'text'];
    button.addEventListener('click', () => {
      const now = cycle.indexOf(head.getAttribute('aria-sort') ?? 'none');
      const order = cycle[(now + 1) % cycle.length];
      for (const each of heads) each.removeAttribute('aria-sort');
      if (order !== 'none') head.setAttribute('aria-sort', order);
      table.tBodies[0].append(...sorted(rows, column, order));
    });
  });
}

/** Sorts rows by a column; cells without a value come last. */
function sorted(rows: readonly HTMLTableRowElement[], column: number, order: string): HTMLTableRowElement[] {
  if (order === 'none') return [...rows];
  const sign = order === 'ascending' ? 1 : -1;
  const keys = new Map(rows.map((row) => [row, cellText(row.cells[column])]));
  return [...rows].sort((x, y) => {
    const [a, b] = [keys.get(x)!, keys.get(y)!];
    if (isNothing(a) || isNothing(b)) return Number(isNothing(a)) - Number(isNothing(b));
    const [m, n] = [numberIn(a), numberIn(b)];
    if (Number.isNaN(m) || Number.isNaN(n)) return sign * a.localeCompare(b);
    return sign * (m - n);
  });
}

function toolbar(...buttons: readonly HTMLButtonElement[]): HTMLParagraphElement {
  const tools = document.createElement('p');
  tools.className = 'tools';
  tools.append(...buttons);
  return tools;
}

function shownTable(table: HTMLTableElement): Table {
  const columns = [...table.tHead!.rows[0].cells].map((head, i): Column => {
    const title = cellText(head);
    return { key: String(i), title, align: head.classList.contains('figure') ? 'right' : 'left' };
  });
  const rows = [...table.tBodies[0].rows].map((row) =>
    [...row.cells].map((cell, i) => (columns[i].align === 'right' ? shownValue : textValue)(cellText(cell))),
  );
  return withoutEmptyColumns({ columns, rows });
}

/** Words may look like numbers, or like a cell without a value. */
const textValue = (text: string): Cell => (text === '' ? null : text);

function shownValue(text: string): Cell {
  if (isNothing(text)) return null;
  return /^[+−]?\d[\d,]*(\.\d+)?$/.test(text) ? text.replace('−', '-').replace(/[+,]/g, '') : text;
}

const cellText = (cell: HTMLElement): string => cell.innerText.replace(/\s+/g, ' ').trim();
const isNothing = (text: string): boolean => text === '' || text === '–';
const numberIn = (text: string) => Number.parseFloat(text.replace('−', '-').replace(/^[<+]|,(?=\d{3})/g, ''));
const type = 'image/svg+xml';

/** Adds a button that saves the picture to each. */
export function startPictureTools(pictures: Iterable<SVGSVGElement>): void {
  for (const svg of pictures) {
    const title = svg.querySelector('title')?.textContent ?? document.title;
    const save = () => saveFile(fileName(title, 'svg'), type, serialised(svg));
    (svg.closest('.pictures') ?? svg).after(toolbar(saveButton('SVG', title, save)));
  }
}

/** Saves all trees of a box as one SVG file. */
export function saveTrees(box: HTMLElement, title: string): void {
  const pictures = [...box.querySelectorAll('figure')].flatMap((figure) => {
    const name = figure.querySelector('figcaption')?.textContent?.trim() ?? '';
    return [...figure.querySelectorAll('svg')].map((svg) => captioned(svg, name));
  });
  if (pictures.length > 0)
    saveFile(fileName(title, 'svg'), type, svgDocument({ ...stacked(pictures), title }));
}

function captioned(svg: SVGSVGElement, name: string): Picture {
  const { width, height } = svg.viewBox.baseVal;
  const drawn = [...svg.children].map(serialised).join('\n');
  return {
    width,
    height: height + 2 * wordSize,
    title: name,
    description: svg.getAttribute('aria-label') ?? '',
    elements: [
      svgText('caption', wordSize, wordSize, name),
      `<g transform="translate(0,${2 * wordSize})">${drawn}</g>`,
    ],
  };
}

const serialised = (node: Element): string => new XMLSerializer().serializeToString(node);

/** Reads a file that the user has chosen; throws `InputError` if it is not in UTF-8. */
export async function readChosenFile(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError('not in UTF-8', { file: file.name });
  }
}

export function saveFile(name: string, type: string, content: BlobPart): void {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function fileName(title: string, extension: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['page'];
  return `${words.slice(0, 8).join('-')}.${extension}`;
}

function saveButton(kind: string, title: string, save: () => void): HTMLButtonElement {
  const button = makeButton(kind, `${kind}: ${title}`, save);
  button.title = 'Save as a file';
  return button;
}
