import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  csvTable,
  figures,
  fitTable,
  markdownTable,
  type Table,
  tableOf,
  text,
  textTable,
} from '../../../src/report/tables/table.ts';
import { displayWidth } from '../../../src/report/tables/text-width.ts';

const table: Table = {
  columns: [{ key: 'file', title: 'file' }, figures('uas', 'UAS', 2), figures('tokens', 'tokens', 0)],
  rows: [
    ['graph.conllu', 87.123456, 25147],
    ['猫', Number.NaN, 9],
    ['a|b, "c"', null, 1234],
  ],
};

test('a text table has aligned columns under a rule, right-aligned figures, and dashes for missing figures', () => {
  expect(textTable(table)).toBe(
    [
      'file            UAS  tokens',
      '────────────  ─────  ──────',
      'graph.conllu  87.12  25,147',
      '猫                –       9',
      'a|b, "c"          –   1,234',
      '',
    ].join('\n'),
  );
});

test('a table that is too wide is shortened, with figures as they are shown', () => {
  const wide: Table = {
    columns: [figures('rank', 'rank of the gold tree', 0), figures('score', 'score', 0)],
    rows: [
      [null, 207575],
      [3, -15871],
    ],
  };
  const fitted = (width: number) => textTable(fitTable(wide, width)).split('\n').slice(2);
  expect(fitted(20)).toEqual(['          –  207,575', '          3  -15,871', '']);
  expect(fitted(10)).toEqual(['   –  207…', '   3  -15…', '']);
});

test('Markdown has aligned columns and escaped pipes', () => {
  expect(markdownTable(table)).toBe(
    [
      '| file         |   UAS | tokens |',
      '| ------------ | ----: | -----: |',
      '| graph.conllu | 87.12 | 25,147 |',
      '| 猫           |     – |      9 |',
      '| a\\|b, "c"    |     – |  1,234 |',
      '',
    ].join('\n'),
  );
});

test('markup in Markdown cells is escaped', () => {
  const written = (cell: string) =>
    markdownTable({ columns: [{ key: 'a', title: 'a' }], rows: [[cell]] }).split('\n')[2];
  expect(written('<b> *x* `y` _z_ &lt;')).toBe('| \\<b> \\*x* \\`y\\` \\_z_ \\&lt; |');
  expect(written('a_b 7* < 1 & _')).toBe('| a_b 7* < 1 & _ |');
});

test('CSV follows RFC 4180: CRLF, doubled quotes, full precision, empty cells for missing figures', () => {
  expect(csvTable(table)).toBe(
    'file,UAS,tokens\r\ngraph.conllu,87.123456,25147\r\n猫,,9\r\n"a|b, ""c""",,1234\r\n',
  );
});

test('a table may have more rows than a function can have arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [String(i)]);
  const lines = textTable({ columns: [{ key: 'n', title: 'n' }], rows }).split('\n');
  expect(lines.slice(1, 3)).toEqual(['──────', '0']);
});

test('a table without rows still has its header', () => {
  const empty = { ...table, rows: [] };
  expect(textTable(empty)).toBe('file  UAS  tokens\n────  ───  ──────\n');
  expect(markdownTable(empty)).toBe('| file | UAS | tokens |\n| ---- | --: | -----: |\n');
  expect(csvTable(empty)).toBe('file,UAS,tokens\r\n');
});

/** Parses CSV character by character, independently of the code that writes it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [['']];
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const row = rows.at(-1)!;
    const c = text[i]!;
    if (quoted && c === '"' && text[i + 1] === '"') row[row.length - 1] += text[++i];
    else if (c === '"') quoted = !quoted;
    else if (!quoted && c === ',') row.push('');
    else if (!quoted && text.startsWith('\r\n', i)) rows.push(['']) && i++;
    else row[row.length - 1] += c;
  }
  return rows.slice(0, -1);
}

const cell = fc.oneof(
  fc.string(),
  fc.constantFrom('"', ',', '\r\n', '\n', '|', '\\', '\\|', 'แม่', 'é', '日本', '😀'),
);
const strings = fc.array(fc.tuple(cell, cell), { maxLength: 5 });
const columns = [
  { key: 'a', title: 'A' },
  { key: 'b', title: 'B', align: 'right' as const },
];

test('any cells are read back unchanged from CSV', () => {
  fc.assert(
    fc.property(strings, (rows) => {
      expect(parseCsv(csvTable({ columns, rows }))).toEqual([['A', 'B'], ...rows]);
    }),
  );
});

describe('a table with any cells', () => {
  test('has one line per row as text, and all lines have the same width', () => {
    fc.assert(
      fc.property(strings, (rows) => {
        const lines = textTable({ columns, rows: rows.map(([a]) => [a, 'end']) }).split('\n');
        expect(lines).toHaveLength(rows.length + 3);
        expect(new Set(lines.slice(0, -1).map(displayWidth)).size).toBe(1);
      }),
    );
  });

  test('has one unescaped pipe per column, and one more, in each Markdown row', () => {
    fc.assert(
      fc.property(strings, (rows) => {
        const lines = markdownTable({ columns, rows }).split('\n').slice(0, -1);
        for (const line of lines) expect(line.replace(/\\./g, '').split('|')).toHaveLength(4);
      }),
    );
  });
});

test.each([
  ['cat', 3],
  ['', 0],
  ['日本', 4],
  ['한국', 4],
  ['ｗ', 2],
  ['👍', 2],
  ['…', 1],
  ['é', 1],
  ['e\u0301', 1],
  ['แม่', 2],
  ['a\u20dd', 1],
  ['می\u200cخواهم', 7],
])(
  'width is counted in terminal cells: two for wide characters, none for combining marks and joiners: %s',
  (text, width) => {
    expect(displayWidth(text)).toBe(width);
  },
);

test('tableOf makes a row for each item, with a cell from each column’s function', () => {
  const parsers = [
    { name: 'a', las: 80 },
    { name: 'b', las: Number.NaN },
  ];
  const table = tableOf(parsers, [
    [text('name', 'parser'), ({ name }) => name],
    [figures('las', 'LAS', 1), ({ las }) => las],
  ]);
  expect(table.columns.map(({ key, title }) => [key, title])).toEqual([
    ['name', 'parser'],
    ['las', 'LAS'],
  ]);
  expect(table.rows).toEqual([
    ['a', 80],
    ['b', Number.NaN],
  ]);
});
