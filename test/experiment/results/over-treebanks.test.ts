import { describe, expect, it } from 'vitest';
import type { Cell, Plan } from '../../../experiment/definition/plan.ts';
import type { Finished } from '../../../experiment/jobs/job-result.ts';
import { overTreebanks, treebankView } from '../../../experiment/results/over-treebanks.ts';
import { provenance } from '../../../experiment/results/provenance.ts';
import { experimentRecord } from '../../../experiment/results/record.ts';
import { readableTables } from '../../../experiment/results/result-table.ts';
import type { ReadableTable } from '../../../experiment/results/table-texts.ts';
import { textTable } from '../../../src/report/tables/table.ts';
import { fillFrom, job, plan, result } from '../../support/experiment-plan.ts';

/** The number of right heads out of ten in each of a hundred sentences: parsers × treebanks. */
const right = { weak: [5, 4, 5, 3], strong: [7, 8, 5, 9], steady: [6, 6, 6, 6] };
const parsers = Object.keys(right) as (keyof typeof right)[];
const columns = ['Basque', 'Czech', 'Telugu', 'Tamil'];
const outcomes = new Map<string, Finished>(
  parsers.flatMap((name) =>
    right[name].map((heads, t) => [`${name}${t}`, result(job(1), Array(100).fill(heads))]),
  ),
);

function table(extra: Partial<Plan['experiment']> = {}): Plan {
  const small = plan(
    parsers.map((name) => ({ name, jobs: [] })),
    {
      averages: true,
      baseline: 'weak',
      columns: columns.map((name) => ({ name, treebank: name })),
      ...extra,
    },
  );
  const cells = small.cells.map(([cell], i) =>
    columns.map((column, t) => ({ ...cell!, column, jobs: [`${parsers[i]}${t}`] })),
  );
  return { ...small, columns, cells };
}

describe('averages over treebanks', async () => {
  const own = table();
  const cells = await fillFrom(own, outcomes);

  it('give each parser a mean, a mean rank, and a test against the baseline', () => {
    const over = overTreebanks(own, treebankView(own, cells), 'uas');
    expect(over.overall).toEqual([
      { mean: 42.5, rank: 2.875, p: undefined },
      { mean: 72.5, rank: 1.375, p: 0.25 },
      { mean: 60, rank: 1.75, p: 0.125 },
    ]);
    expect(over.criticalDifference).toBeCloseTo(2.343 * Math.sqrt(12 / 24), 2);
  });

  it('neither rank nor test times, as they vary between runs', async () => {
    const timed = table({ report: ['seconds'] });
    const filled = await fillFrom(timed, outcomes);
    const [{ table: shown }] = readableTables(timed, filled);
    expect(shown.columns.map(({ title }) => title)).toEqual(['', ...columns, 'mean']);
    expect(provenance(filled, timed, '').join('\n')).not.toMatch(/training s \d|Nemenyi|Wilcoxon/);
  });

  it('are in a table of parsers and treebanks that marks significant differences from the baseline', () => {
    const [{ title, table }] = readableTables(own, cells);
    expect(title).toBe('UAS');
    expect(textTable(table).split('\n')).toEqual([
      '        Basque   Czech  Telugu   Tamil   mean  rank      p',
      '──────  ──────  ──────  ──────  ──────  ─────  ────  ─────',
      'weak    50.00   40.00   50.00   30.00   42.50  2.88',
      'strong  70.00*  80.00*  50.00   90.00*  72.50  1.38  0.250',
      'steady  60.00*  60.00*  60.00*  60.00*  60.00  1.75  0.125',
      '',
    ]);
    expect(provenance(cells, own, '')).toContain(
      'Mean ranks that differ by less are not significantly different (Nemenyi’s critical difference at 0.05, after Demšar 2006): UAS 1.66 over 4 treebanks.',
    );
  });

  it('are followed by lines that explain marks and p, if the table has them', async () => {
    const tested = async (own: Plan) => {
      const lines = provenance(await fillFrom(own, outcomes), own, '');
      return lines.filter((line) => /^(\*|p): /.test(line)).map((line) => line.replace(/[;,].*/s, ''));
    };
    const mark = '*: p < 0.05: of the difference from “weak”';
    expect(await tested(own)).toEqual([mark, 'p: of the same difference over treebanks']);
    expect(await tested(table({ report: ['laa'] }))).toEqual([
      'p: of the difference from “weak” over treebanks',
    ]);
    expect(await tested(table({ report: ['seconds'] }))).toEqual([]);
    const best = own.cells.map((row, i) =>
      i === 0
        ? row
        : row.map((cell) => ({ ...cell, settings: { ...cell.settings, of: [] } as Cell['settings'] })),
    );
    expect(await tested({ ...own, cells: best })).toEqual([mark, 'p: of the same difference over treebanks']);
  });

  it('are followed by the figure that a source reports', async () => {
    const rows = parsers.map((name, i) => ({ name, reported: i === 0 ? { uas: '44.3' } : 'all 9' }));
    const sourced = table({ rows, report: ['uas', 'las'] });
    const [uas, las] = readableTables(sourced, await fillFrom(sourced, outcomes)).map(({ table }) =>
      table.rows.map((row) => row.at(-1)),
    );
    expect(uas).toEqual(['44.3', 'all 9', 'all 9']);
    expect(las).toEqual(['', 'all 9', 'all 9']);
  });

  it('are left out for a single treebank', async () => {
    const one = table({ columns: [{ name: 'Basque', treebank: 'x' }] });
    const alone = { ...one, columns: ['Basque'], cells: one.cells.map(([cell]) => [cell!]) };
    const [{ title, table: shown }] = readableTables(alone, await fillFrom(alone, outcomes)) as [
      ReadableTable,
    ];
    expect([title, shown.columns.map((column) => column.title)]).toEqual(['', ['', 'Basque UAS', 'p']]);
    expect(provenance(await fillFrom(alone, outcomes), alone, '').join()).not.toContain('rank');
  });

  it('leave out treebanks without figures for all parsers; the table shows failed and pending cells', async () => {
    const some = new Map(outcomes);
    some.delete('steady3');
    some.set('steady2', { problem: 'out of memory' });
    const part = await fillFrom(own, some);
    expect(overTreebanks(own, treebankView(own, part), 'uas')).toMatchObject({
      treebanks: 2,
      overall: [{ mean: 45 }, { mean: 75 }, { mean: 60 }],
    });
    const [{ table }] = readableTables(own, part);
    expect(table.rows[2].slice(3, 5)).toEqual(['failed', '…']);
  });

  it('give no rank to the best of other parsers', async () => {
    const settings = {
      of: [],
      setAside: 0.1,
      punctuation: 'include',
      brackets: 'evalb',
      statistic: 'best',
    } as const;
    const pooled = own.cells.map((row, i) =>
      i < 2 ? row : row.map((cell) => ({ ...cell, settings: { ...settings, vote: undefined } })),
    );
    const best = { ...own, cells: pooled };
    const { overall } = overTreebanks(best, treebankView(best, await fillFrom(best, outcomes)), 'uas');
    expect(overall.map(({ rank }) => rank)).toEqual([1.875, 1.125, Number.NaN]);
  });

  it('can also be taken over treebanks that are rows', async () => {
    const turned = table({
      columns: undefined,
      rows: parsers.map((name) => ({ name, treebank: name })),
      baseline: undefined,
    });
    const view = treebankView(turned, await fillFrom(turned, outcomes));
    expect(view).toMatchObject({ parsers: columns, treebanks: parsers });
    expect(overTreebanks(turned, view, 'uas').overall[1].mean).toBe(60);
  });

  it('are in the record in full precision', () => {
    const computed = { plan: own, cells, finalCells: undefined, breakdowns: new Map(), command: '' };
    const { averages } = experimentRecord(computed) as { averages: { dev: { uas: object } } };
    expect(averages.dev.uas).toMatchObject({
      treebanks: 4,
      parsers: [{ parser: 'weak', rank: 2.875 }, { parser: 'strong', p: 0.25 }, { mean: 60 }],
    });
  });
});

describe('final cells', () => {
  it('have tables of their own, below those of dev', async () => {
    const own = { ...table({ averages: false, baseline: undefined }) };
    const finalCells = own.cells.map((row) => row.map((cell) => ({ ...cell, part: 'test' as const })));
    const final = { ...own, finalCells };
    const tables = readableTables(
      final,
      await fillFrom(final, outcomes),
      await fillFrom(final, outcomes, finalCells),
    );
    expect(tables.map(({ title }) => title)).toEqual(['dev', 'test']);
  });
});
