import { latexFloat } from '../../src/report/tables/latex-table.ts';
import { escapeMarkdown, markdownTable, type TitledTable, textTable } from '../../src/report/tables/table.ts';
import { visible } from '../../src/visible.ts';
import { type Piece, styled } from './output.ts';

export const tableFormats = ['text', 'markdown', 'latex', 'csv', 'json'] as const;
export type TableFormat = (typeof tableFormats)[number];

interface TablePage {
  readonly head: readonly string[];
  readonly tables: readonly TitledTable[];
  readonly foot?: readonly string[];
  readonly subject?: string;
}

export const tablePages: Readonly<
  Record<Exclude<TableFormat, 'csv' | 'json'>, (page: TablePage) => Piece[]>
> = { text: textPage, markdown: markdownPage, latex: latexPage };

function textPage({ head, tables, foot = [] }: TablePage): Piece[] {
  const sections = tables.map(({ title, table, notes }): Piece[] => {
    const below = notes.flatMap((line) => [styled('dim', line), '\n']);
    return ['\n', styled('bold', title), '\n\n', textTable(table), ...below];
  });
  const last = foot.length === 0 ? [] : ['\n', ...foot.map((line) => `${line}\n`)];
  return [`${head.join('\n')}\n`, ...sections.flat(), ...last];
}

function markdownPage({ head: [answer = '', ...facts], tables }: TablePage): Piece[] {
  const sections = tables.map(({ title, table, notes }) => {
    const below = notes.map((line) => `- ${escapeMarkdown(line)}\n`).join('');
    return `#### ${escapeMarkdown(title)}\n\n${markdownTable(table)}${below === '' ? '' : `\n${below}`}`;
  });
  const paragraph = facts.length === 0 ? '' : `${escapeMarkdown(facts.join(' '))}\n\n`;
  return [`### ${escapeMarkdown(answer)}\n\n${paragraph}${sections.join('\n')}`];
}

function latexPage({ head, tables, subject }: TablePage): Piece[] {
  const first = [...head, 'Needs \\usepackage{booktabs}.'].map((line) => `% ${visible(line)}\n`);
  return [`${first.join('')}\n${tables.map((table) => latexFloat(table, subject)).join('\n')}`];
}
