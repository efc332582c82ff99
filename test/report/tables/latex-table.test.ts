import { describe, expect, test } from 'vitest';
import { escapeLatex, latexFloat, latexTable } from '../../../src/report/tables/latex-table.ts';
import { figures, text } from '../../../src/report/tables/table.ts';

const table = {
  columns: [text('file'), figures('uas', 'UAS', 2)],
  rows: [
    ['my_file & co', 82.456],
    ['[x]', null],
  ],
};

describe('latexTable', () => {
  test('writes a tabular with booktabs rules and right-aligned figures', () => {
    expect(latexTable(table)).toBe(
      [
        '\\begin{tabular}{lr}',
        '\\toprule',
        'file & UAS \\\\',
        '\\midrule',
        'my\\_file \\& co & 82.46 \\\\',
        '{}[x] & -- \\\\',
        '\\bottomrule',
        '\\end{tabular}\n',
      ].join('\n'),
    );
  });

  test('escapes every special character, so that no text becomes a command', () => {
    expect(escapeLatex('\\input{x} $a_1^2$ #~% a&b')).toBe(
      '\\textbackslash{}input\\{x\\} \\$a\\_1\\textasciicircum{}2\\$ \\#\\textasciitilde{}\\% a\\&b',
    );
    expect(escapeLatex('✓✗')).toBe('$\\surd$$\\times$');
    expect(escapeLatex('−1 … ≤ – <|>')).toBe(
      '$-$1 \\dots{} $\\leq$ -- \\textless{}\\textbar{}\\textgreater{}',
    );
  });

  test('begins no row with [ or *, which LaTeX would read as part of the row before', () => {
    const lines = latexTable({ columns: [text('a')], rows: [['*'], ['[2cm]'], ['a*']] }).split('\n');
    expect(lines.filter((line) => /^[[*]/.test(line))).toEqual([]);
  });

  test('makes a float with a self-contained caption, a label and notes', () => {
    const float = latexFloat({ title: 'Scores in %', table, notes: ['95%: interval.'] }, 'dev.conllu');
    expect(float).toMatch(
      /^\\begin\{table\}\n\\centering\n\\caption\{Scores in \\%: dev\.conllu\}\n\\label\{tab:scores-in\}\n\\begin\{tabular\}/,
    );
    expect(float).toMatch(/\\par\\footnotesize 95\\%: interval\.\n\\end\{table\}\n$/);
  });

  test.each([
    ['日本', '日本'],
    ['Рус, dev', 'рус-dev'],
    ['Crédit Việt', 'credit-viet'],
    ['हिन्दी', 'हिन्दी'],
    ['%', 'table'],
  ])('makes the label of the table %s from its letters, in any script: %s', (title, label) => {
    expect(latexFloat({ title, table, notes: [] })).toContain(`\\label{tab:${label}}`);
  });
});
