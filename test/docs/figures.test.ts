import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishedText } from '../../bench/published-tables.ts';
import { codeThatRuns, commandsOf, type Groups, measuredValues } from '../../bench/quoted-figures.ts';
import { packageFolder } from '../../src/platform/package.ts';

/**
 * docs/figures.json holds the figures that pages quote, by group and name. A page quotes a table by a comment before it
 * with the names of its rows (`-`: none), of which all right-aligned columns are compared:
 *
 *     <!--figures:english:network,beam,raw/hungarian-beam-->
 *
 * and a figure in a sentence by a comment after it (without a key: UAS / LAS):
 *
 *     90.78 / 89.18<!--figure:english/beam--> and 1,080<!--figure:english/beam sentences/s-->
 */
/** A figure that a page shows; `value` is undefined if docs/figures.json lacks it. */
interface Quote {
  readonly figure: string;
  readonly shown: string;
  readonly value: number | string | undefined;
}

const groups: Groups = JSON.parse(readFileSync(join(packageFolder, 'docs/figures.json'), 'utf8'));
const held = (name: string, key: string) => {
  const [group = '', figure = ''] = name.split('/');
  return groups[group]?.figures[figure]?.values[key];
};

/** A heading or cell without links, emphasis, footnotes and text in parentheses. */
const plain = (cell: string) =>
  cell
    .replace(/<!--.*?-->/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\([^)]*\)|[*\\†`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
const cellsOf = (row: string) => row.split(/(?<!\\)\|/).slice(1, -1);

/** The figures of a row; the heading `UAS / LAS` above the cell `90.78 / 89.18` gives two. */
function rowQuotes(
  name: string,
  keys: readonly string[],
  isFigure: readonly boolean[],
  row: string,
): Quote[] {
  return cellsOf(row).flatMap((cell, i) => {
    const shown = plain(cell);
    if (!isFigure[i] || !/\d/.test(shown)) return [];
    const key = keys[i]!;
    const [parts, values] = [key.split(' / '), shown.split(' / ')];
    const isSplit = parts.length > 1 && parts.length === values.length;
    return (isSplit ? parts : [key]).map((part, p) => ({
      figure: `${name} ${part}`,
      shown: isSplit ? values[p]! : shown,
      value: held(name, part),
    }));
  });
}

function tableQuotes(page: string): Quote[] {
  const tables = page.matchAll(/^<!--figures:([\w-]+):(\S+)-->\n\n((?:\|.*\n)+)/gm);
  return [...tables].flatMap(([, group, list, table]) => {
    const [head = '', line = '', ...rows] = table!.trim().split('\n');
    const names = list!.split(',');
    expect({ list, rows: rows.length }).toEqual({ list, rows: names.length });
    const keys = cellsOf(head).map(plain);
    const isFigure = cellsOf(line).map((cell) => cell.trim().endsWith(':'));
    return names.flatMap((name, i) =>
      name === '-' ? [] : rowQuotes(name.includes('/') ? name : `${group}/${name}`, keys, isFigure, rows[i]!),
    );
  });
}

function sentenceQuotes(page: string): Quote[] {
  const marks = page.matchAll(/([\d.,]*\d(?: \/ [\d.]+)?)\**<!--figure:(\S+?)(?: ([^>]*?))?-->/g);
  return [...marks].flatMap(([, shown, name, key]) => {
    const keys = key === undefined ? ['UAS', 'LAS'] : [key];
    const parts = key === undefined ? shown!.split(' / ') : [shown!];
    expect({ name, parts: parts.length }).toEqual({ name, parts: keys.length });
    return keys.map((one, i) => ({ figure: `${name} ${one}`, shown: parts[i]!, value: held(name!, one) }));
  });
}

/** Whether a page shows a value, maybe rounded: 92.2 or 92.21; 5,300 or 5,295; `25 s` or `25.4 s`. */
function isShown({ shown, value }: Quote): boolean {
  const parts = (text: string) =>
    text.split(/ \/ |, /).map((part) => /^([-−]?[\d,]*\.?\d+)?(.*)$/.exec(part)!.slice(1));
  const [quoted, exactly] = [parts(shown), parts(String(value))];
  return (
    quoted.length === exactly.length &&
    quoted.every(([number, unit], i) => {
      const [exact, ownUnit] = exactly[i]!;
      if (number === undefined || exact === undefined) return number === exact && unit === ownUnit;
      const plainly = number.replaceAll(',', '');
      const decimals = plainly.split('.')[1]?.length ?? -(/[1-9](0*)$/.exec(plainly)?.[1] ?? '').length;
      const difference = Math.abs(Number(plainly) - Number(exact.replaceAll(',', '')));
      return unit === ownUnit && difference <= 0.5 * 10 ** -decimals + 1e-9;
    })
  );
}

const pages = ['README.md', ...readdirSync(join(packageFolder, 'docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(packageFolder, name), 'utf8') }))
  .map(({ name, text }) => ({
    name,
    marks: [...text.matchAll(/<!--figures?:/g)].length,
    found:
      [...text.matchAll(/^<!--figures:([\w-]+):(\S+)-->\n\n\|/gm)].length +
      [...text.matchAll(/[\d)]\**<!--figure:\S+?(?: [^>]*?)?-->/g)].length,
    quotes: [...tableQuotes(text), ...sentenceQuotes(text)],
  }))
  .filter(({ marks }) => marks > 0);

describe('docs/figures.json', () => {
  test.each(pages)('has the values that $name quotes', ({ quotes, marks, found }) => {
    expect(found).toBe(marks);
    expect(quotes.length).toBeGreaterThan(0);
    expect(quotes.filter((quote) => !isShown(quote))).toEqual([]);
  });

  test('has only figures that some page quotes', () => {
    const quoted = new Set(pages.flatMap(({ quotes }) => quotes.map(({ figure }) => figure)));
    const all = Object.entries(groups).flatMap(([group, { figures }]) =>
      Object.entries(figures).flatMap(([name, { values }]) =>
        Object.keys(values).map((key) => `${group}/${name} ${key}`),
      ),
    );
    expect(all.length).toBeGreaterThan(400);
    expect(all.filter((figure) => !quoted.has(figure))).toEqual([]);
  });

  test('has the data, command or source, and commit of each figure, and whether dev data chose it', () => {
    for (const { data, source, chosenOnDev, figures } of Object.values(groups)) {
      expect([typeof data, typeof chosenOnDev]).toEqual(['string', 'boolean']);
      for (const figure of Object.values(figures)) {
        expect(figure.command ?? figure.source ?? source).toBeDefined();
        expect(`${figure.commit} ${figure.confirmed ?? figure.commit}`).toMatch(/^[0-9a-f]{8} [0-9a-f]{8}$/);
      }
    }
  });

  test('agrees with the published tables of experiments', () => {
    const page = readFileSync(join(packageFolder, 'docs/results.md'), 'utf8');
    const all = Object.values(groups).flatMap(({ figures }) => Object.entries(figures));
    const ofTables = all.flatMap(([name, { source, values }]) => {
      const table = /^parliament experiment ([\w-]+)/.exec(source ?? '')?.[1];
      return table === undefined ? [] : [{ name, values, text: publishedText(page, table) }];
    });
    expect(ofTables.length).toBeGreaterThan(8);
    const missing = ofTables.flatMap(({ name, values, text }) =>
      Object.entries(values)
        .filter(([key]) => !key.endsWith(', s'))
        .filter(([, value]) => !text.includes(` ${Number(value).toFixed(2)} `))
        .map(([key, value]) => `${name} ${key} ${value}`),
    );
    expect(missing).toEqual([]);
  });

  test('has only commands that print JSON and measure values of their figure', () => {
    const commands = Object.values(groups)
      .flatMap(({ figures }) => Object.values(figures).map(commandsOf))
      .flat();
    expect(commands.length).toBeGreaterThan(80);
    for (const { command, keys } of commands) {
      expect(command).toMatch(/^parliament .* --json( |$)/);
      expect(keys).not.toEqual([]);
    }
    const figures = Object.values(groups).flatMap(({ figures }) => Object.values(figures));
    const unknown = figures.flatMap((figure) =>
      commandsOf(figure).flatMap(({ keys }) => keys.filter((key) => !(key in figure.values))),
    );
    expect(unknown).toEqual([]);
  });

  test.each([
    ['92.2', 92.21, true],
    ['92.21', 92.21, true],
    ['92.3', 92.21, false],
    ['5,300', 5295, true],
    ['5,295', 5294, false],
    ['25 s', '25.4 s', true],
    ['25 s', '25 MB', false],
    ['80.86 / 69.16', '80.86 / 69.16', true],
    ['80.86 / 69.17', '80.86 / 69.16', false],
    ['1 min 38 s', '1 min 38 s', true],
    ['0', 4, false],
    ['–', 1, false],
  ])('is rightly quoted by %s if the value is %s: %s', (shown, value, expected) => {
    expect(isShown({ figure: 'x', shown, value })).toBe(expected);
  });
});

describe('measured values', () => {
  const values = {
    UAS: 1,
    'UD LAS': 1,
    'and pairs': '1 / 1',
    "lemmas, tagger's": 1,
    size: '1 MB',
    'words/s': 1,
  };
  const keys = Object.keys(values);

  test('of a parser have two decimals', () => {
    const report = { bytes: 6_440_000, scores: { uas: 88.236, las: 86.5 } };
    expect(measuredValues(keys, values, report)).toEqual({
      UAS: 88.24,
      'and pairs': '88.24 / 86.50',
      size: '6.4 MB',
    });
  });

  test('of a pipeline are scores from raw text, and lemma scores on gold tokens', () => {
    const scores = { text: { UAS: 82.32, LAS: 77.388 }, tokens: { UAS: 90, Lemmas: 93.45 } };
    const measured = measuredValues(keys, values, { bytes: 29_040_000, scores });
    expect(measured).toEqual({ UAS: 82.32, 'UD LAS': 77.39, "lemmas, tagger's": 93.45, size: '29.0 MB' });
  });

  test('of an evaluation are UAS, LAS with subtypes and LAS as UD counts it', () => {
    const report = [{ uas: 60.52, las: 51.87, ud: { las: 52.184 } }];
    const measured = measuredValues(keys, values, report);
    expect(measured).toEqual({ UAS: 60.52, 'UD LAS': 52.18, 'and pairs': '60.52 / 51.87' });
  });

  test('with the same command are measured together', () => {
    const command = { UAS: 'parliament a', LAS: 'parliament a', tags: 'parliament b' };
    expect(commandsOf({ command, values: {}, commit: '' })).toEqual([
      { command: 'parliament a', keys: ['UAS', 'LAS'] },
      { command: 'parliament b', keys: ['tags'] },
    ]);
  });
});

test('figures stay up to date if only comments, line breaks, types or messages of errors change', () => {
  const runs = (source: string, file = 'src/learn/rate.ts') => codeThatRuns(file, source);
  const before =
    "import type { Rate } from './a.ts';\n/** The rate. */\nexport const rate = (epoch: number): Rate => 1 / epoch; // falls\n";
  expect(runs('export const rate = (epoch) =>\n  1 / epoch;\n')).toBe(runs(before));
  expect(runs(before.replace('1 /', '2 /'))).not.toBe(runs(before));
  const thrown = `export const rate = () => { throw new RangeError(\`\${1} epoch\`, { cause: 'none' }); };`;
  expect(runs(thrown.replace('{1} epoch', '{2} epochs'))).toBe(runs(thrown));
  expect(runs(thrown.replace('RangeError', 'TypeError'))).not.toBe(runs(thrown));
  expect(runs("export const rate = () => '1';")).not.toBe(runs("export const rate = () => '2';"));
  const assembly = 'src/learn/network/assembly/adam.ts';
  expect(runs(before.replace('number', 'f32'), assembly)).not.toBe(runs(before, assembly));
});
