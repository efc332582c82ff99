import { shownLines, type Table, type TitledTable } from './table.ts';

/** What has a meaning of its own in LaTeX, or which its fonts do not have under this character. */
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

/** Text for LaTeX as it is. */
export function escapeLatex(text: string): string {
  return text.replace(/[\\{}$&#%_~^<>|"−≤≥→–…]/g, (character) => escapes.get(character)!);
}

/** A table for LaTeX with the package booktabs: a `tabular`, to be put anywhere; ends with a line break. */
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

/** A floating `table` with its caption above and its notes below. */
export function latexFloat({ title, table, notes }: TitledTable): string {
  const below = notes.map((note) => `\\par\\footnotesize ${escapeLatex(note)}\n`);
  return [
    '\\begin{table}\n\\centering\n',
    `\\caption{${escapeLatex(title)}}\n`,
    latexTable(table),
    ...below,
    '\\end{table}\n',
  ].join('');
}

/** The end of the row before, and a rule, would take a bracket or an asterisk for theirs. */
function latexRow(cells: readonly string[]): string {
  const escaped = cells.map(escapeLatex).join(' & ');
  return `${/^[[*]/.test(escaped) ? '{}' : ''}${escaped} \\\\`;
}
