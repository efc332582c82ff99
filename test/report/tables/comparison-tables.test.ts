import { beforeAll, describe, expect, test } from 'vitest';
import { compare } from '../../../src/evaluate/comparison/compare.ts';
import type { Comparison } from '../../../src/evaluate/comparison/comparison.ts';
import { breakdownSection } from '../../../src/report/html/breakdown-section.ts';
import { titledTable } from '../../../src/report/html/html-table.ts';
import { comparisonFigures } from '../../../src/report/tables/comparison-figures.ts';
import { comparisonTables } from '../../../src/report/tables/comparison-tables.ts';
import { textTable } from '../../../src/report/tables/table.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const upos = 'PRON VERB DET NOUN';
const labels = 'nsubj root det obj';
const seen = (heads: string, relations?: string) =>
  sentence('We saw the 犬犬犬犬犬犬犬犬犬犬犬犬犬犬犬犬', heads, {
    upos,
    ...(relations === undefined ? {} : { labels: relations }),
  });
const gold = treebank('gold', ...Array(12).fill(seen('2 0 4 2', labels)));
const good = treebank('good', ...Array(12).fill(seen('2 0 4 2', labels)));
const bad = treebank('bad', ...Array(12).fill(seen('2 0 2 3', 'nsubj root det nmod')));

/** The table under a title, as text. */
function shown(comparison: Comparison, title: string, limit = 10): string {
  const { table, notes } = comparisonTables(comparison, limit).find((each) => each.title === title)!;
  return textTable(table) + notes.map((note) => `${note}\n`).join('');
}

let comparison: Comparison;
beforeAll(async () => {
  ({ comparison } = await compare(gold, [good, bad], { rounds: 99_999 }));
});

test('a p-value below 0.0001 is shown as <0.0001, and a difference has its sign', () => {
  const lines = shown(comparison, 'Are the differences significant?').split('\n');
  expect(lines[2]).toMatch(/^good +bad +UAS +\+50\.00 +50\.00 … 50\.00 +0\.0005 +0\.0005 +yes /);
  expect(lines[3]).toMatch(/<0\.0001$/);
});

test('a breakdown shows the most frequent buckets in their order, and says how many it leaves out', () => {
  expect(shown(comparison, 'LAS F1 by distance', 2)).toBe(`\
distance  gold    good     bad
────────  ────  ──────  ──────
root        12  100.00  100.00
1           24  100.00   40.00
… and 1 more, less frequent.
LAS: labels with subtypes (CoNLL-X).
`);
});

test('a bucket that gold does not have is not shown, but counted among those left out', () => {
  const text = shown(comparison, 'LAS F1 by label');
  expect(text).not.toContain('nmod');
  expect(text).toContain('… and 1 more, less frequent.');
});

test('a bucket that does not occur in a parser’s trees has no F1, and is neither ranked nor plotted', async () => {
  const copies = (name: string, heads: string) =>
    treebank(name, ...Array(20).fill(sentence('a b c d e', heads)));
  const deep = copies('deep', '0 1 2 3 4');
  const { comparison } = await compare(deep, [deep, copies('shallow', '0 1 2 1 4')], { rounds: 9 });
  expect(shown(comparison, 'UAS F1 by depth')).toMatch(/\n4 +20 +100.00 +0.00\n5 +20 +100.00 +–\n/);
  const ranked = shown(comparison, 'Where the parsers differ most (UAS F1)');
  expect(ranked).toMatch(/\ndepth +4 +20 +100.00 +0.00\n/);
  expect(ranked).not.toMatch(/\ndepth +5 /);
  const plotted = breakdownSection(comparison)!.text.match(
    /arcs to the root\. deep – .*? shallow – (.*?)</s,
  )!;
  expect(plotted[1]).toContain('; 4, 0 (');
  expect(plotted[1]).not.toContain('; 5, ');
});

test('a note on features is below the table of tags that the parsers saw', async () => {
  const untagged = treebank('untagged', ...Array(12).fill(sentence('We saw the 犬', '2 0 4 2')));
  const tagged = treebank('gold', ...Array(12).fill(sentence('We saw the 犬', '2 0 4 2', { upos })));
  const { comparison } = await compare(tagged, [tagged, untagged]);
  expect(shown(comparison, 'Tags that the parsers saw (% right)')).toContain(
    'Features: FEATS as a whole, not',
  );
});

test('long words and sentences are shortened by their display width', () => {
  expect(shown(comparison, 'Words most often attached wrongly')).toContain(`${'犬'.repeat(14)}…  NOUN`);
});

test('parser names are not capitalised as column titles, although pages capitalise other titles', () => {
  const tables = comparisonTables(comparison, 10).map((table) => titledTable(table).text);
  expect(tables.filter((table) => table.includes('bad</bdi></th>')).length).toBeGreaterThan(5);
  expect(tables.filter((table) => table.includes('>Bad<'))).toEqual([]);
});

test('empty lists are left out', async () => {
  const same = await compare(gold, [good, good], { rounds: 9 });
  const titles = comparisonTables(same.comparison, 10).map(({ title }) => title);
  expect(titles).not.toContain('Label confusions');
  expect(titles.filter((title) => title.startsWith('Sentences'))).toEqual([]);
});

describe('a comparison with gold trees without labels', () => {
  test('compares heads instead of arcs, and has no labelled tests', async () => {
    const bare = treebank('bare', seen('2 0 4 2'));
    const { comparison: unlabelled } = await compare(bare, [good, bad].map(first), { rounds: 9 });
    const titles = comparisonTables(unlabelled, 10).map(({ title }) => title);
    expect(titles).toContain('UAS F1 by tag');
    expect(titles).toContain('Agreement (same head, % of the tokens)');
    expect(titles).toContain('Sentences on which the parsers differ most (right heads)');
    expect(shown(unlabelled, 'Scores')).toMatch(/\ngood +100\.00 .* – +– +100\.00 /);
    expect(titles).not.toContain('UAS F1 by label');
    expect(shown(unlabelled, 'Scores')).toMatch(
      /\nGold has no labels, so labelled figures are not defined\.\n$/,
    );
    expect(shown(unlabelled, 'Are the differences significant?')).not.toContain('LAS');
  });
});

test('comparisonFigures lists each figure of the reports and tests once, unrounded', () => {
  const { rows } = comparisonFigures(comparison);
  const keys = rows.map((row) => row.slice(0, 4).join('\t'));
  expect(new Set(keys).size).toBe(keys.length);
  const value = (...key: string[]) => rows.find((row) => row.slice(0, 4).join() === key.join())?.[4];
  const { report, intervals } = comparison.parsers[1];
  expect(value('scores', 'all', 'bad', 'las')).toBe(report.las);
  expect(value('scores', 'all', 'bad', 'lasLow')).toBe(intervals.las?.low);
  const { tests } = comparison.significance.pairs[0];
  expect(value('significance', 'good − bad', '', 'las McNemar corrected p')).toBe(
    tests.las?.mcnemar?.corrected,
  );
  const [root] = report.breakdowns.distance!;
  expect(value('by distance', 'root', 'bad', 'las precision')).toBe(root.labelled.precision);
  expect(value('agreement', 'bad', 'good', 'uas same')).toBe(comparison.agreement.matrix[0][1].uas);
});

/** A treebank of only the first sentence. */
function first(of: typeof gold): typeof gold {
  return {
    name: of.name,
    async *[Symbol.asyncIterator]() {
      for await (const each of of) {
        yield each;
        return;
      }
    },
  };
}
