import { shownLines, type Table, type TitledTable } from './table.ts';

/** Characters with a meaning in LaTeX, or missing from its fonts. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\textbackslash{}'],
  ['{', '\\{'],
  ['}', '\\}'],
  ['$', '\\$'],
  ['&', '\\&'],
  ['#', '\\#'],
  ['%', '\\%'],
  ['_', '\\_'],
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
  ['…', '\\dots{}'],
]);

export const escapeLatex = (text: string): string =>
  text.replace(/[\\{}$&#%_~^<>|"−≤≥→–…]/g, (character) => escapes.get(character)!);

/** A `tabular` for LaTeX with the package booktabs; ends with a line break. */
export function latexTable(table: Table): string {
  const [header, ...rows] = shownLines(table).map(latexRow);
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

/** A float whose caption says what the table is of (`subject`), with a label made from its title. */
export function latexFloat({ title, table, notes }: TitledTable, subject = ''): string {
  const caption = [title, subject].filter((part) => part !== '').join(': ');
  const label = (title || subject)
    .toLowerCase()
    .normalize('NFD')
    .match(/[a-z0-9]+/g) ?? ['table'];
  return [
    '\\begin{table}\n\\centering\n',
    `\\caption{${escapeLatex(caption)}}\n`,
    `\\label{tab:${label.join('-')}}\n`,
    latexTable(table),
    ...notes.map((note) => `\\par\\footnotesize ${escapeLatex(note)}\n`),
    '\\end{table}\n',
  ].join('');
}

/** The empty group keeps a leading `[` or `*` from being read as an argument of the preceding command. */
function latexRow(cells: readonly string[]): string {
  const escaped = cells.map(escapeLatex).join(' & ');
  return `${/^[[*]/.test(escaped) ? '{}' : ''}${escaped} \\\\`;
}
