import { formattedRows, type Table, type TitledTable } from './table.ts';

/** Characters with a meaning in LaTeX, or missing from its fonts. */
const escapes: ReadonlyMap<string, string> = new Map([
  ...Array.from('{}$&#%_', (character) => [character, `\\${character}`] as const),
  ['\\', '\\textbackslash{}'],
  ['~', '\\textasciitilde{}'],
  ['^', '\\textasciicircum{}'],
  ['<', '\\textless{}'],
  ['>', '\\textgreater{}'],
  ['|', '\\textbar{}'],
  ['"', '\\textquotedbl{}'],
  ['−', '$-$'],
  ['≤', '$\\leq$'],
  ['≥', '$\\geq$'],
  ['→', '$\\rightarrow$'],
  ['–', '--'],
  ['✓', '$\\surd$'],
  ['✗', '$\\times$'],
  ['…', '\\dots{}'],
]);

export const escapeLatex = (text: string): string =>
  text.replace(/[\\{}$&#%_~^<>|"−≤≥→–…✓✗]/g, (character) => escapes.get(character)!);

/** Formats a table as a LaTeX `tabular` for the package booktabs; ends with a line break. */
export function latexTable(table: Table): string {
  const [header, ...rows] = formattedRows(table).map((cells) => latexRow(cells));
  const columns = table.columns.map(({ align }) => (align === 'right' ? 'r' : 'l')).join('');
  return [
    `\\begin{tabular}{${columns}}`,
    '\\toprule',
    header!,
    '\\midrule',
    ...rows,
    '\\bottomrule',
    '\\end{tabular}\n',
  ].join('\n');
}

/** Formats a table as a LaTeX float with the caption `title: subject` and a label made from the title. */
export function latexFloat({ title, table, notes }: TitledTable, subject = ''): string {
  const caption = [title, subject].filter((part) => part !== '').join(': ');
  const label = (title || subject)
    .toLowerCase()
    .normalize('NFD')
    // Letters of all scripts, so that “日本” and “Рус” have labels of their own; accents over Latin letters divide none.
    .replace(/[\u0300-\u036f]/g, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? ['table'];
  return [
    '\\begin{table}\n\\centering\n',
    `\\caption{${escapeLatex(caption)}}\n`,
    `\\label{tab:${label.join('-')}}\n`,
    latexTable(table),
    ...notes.map((note) => `\\par\\footnotesize ${escapeLatex(note)}\n`),
    '\\end{table}\n',
  ].join('');
}

/** Formats a row. An empty group keeps a leading `[` or `*` from being read as an argument of the command before it. */
export function latexRow(cells: readonly string[]): string {
  const escaped = cells.map((cell) => `${/^[[*]/.test(cell) ? '{}' : ''}${escapeLatex(cell)}`);
  return `${escaped.join(' & ')} \\\\`;
}
