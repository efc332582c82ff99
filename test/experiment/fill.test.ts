import { describe, expect, it } from 'vitest';
import { fill } from '../../experiment/fill.ts';
import { provenance } from '../../experiment/provenance.ts';
import { dataTable, readableTables } from '../../experiment/result-table.ts';
import type { Outcome } from '../../experiment/run-plan.ts';
import { stratifiedShuffling } from '../../src/evaluate/significance/shuffling.ts';
import { csvTable, textTable } from '../../src/report/table.ts';
import { job, plan, type RowPlan, result } from '../support/experiment-plan.ts';

const right = { a: [4, 6, 8, 2, 6, 4], b: [6, 6, 8, 4, 6, 6], c: [8, 8, 8, 8, 6, 8] };
const outcomes = new Map<string, Outcome>([
  ...Object.entries(right).map(([name, heads]) => [name, result(job(1), heads)] as const),
  ['broken', { problem: 'its process was ended by SIGKILL' }],
]);

function filled(rows: readonly RowPlan[], experiment = {}) {
  const table = plan(rows, experiment);
  return { table, cells: fill(table, outcomes) };
}

const uas = (heads: readonly number[]) => (10 * heads.reduce((a, b) => a + b, 0)) / heads.length;
const [uasA, uasB, uasC] = [right.a, right.b, right.c].map(uas);

describe('a cell shows', () => {
  it('the mean and the deviation over its seeds, or the best, or the worst of them', () => {
    const jobs = ['a', 'b', 'c'];
    const { cells } = filled([
      { name: 'mean', jobs },
      { name: 'best', jobs, statistic: 'best' },
      { name: 'worst', jobs, statistic: 'worst' },
    ]);
    const figures = cells.map(([cell]) => cell.figures.get('uas')!);
    expect(figures.map(({ value }) => value)).toEqual([(uasA + uasB + uasC) / 3, uasC, uasA]);
    expect(figures.map(({ deviation }) => deviation !== undefined)).toEqual([true, false, false]);
    expect(figures[0].runs).toEqual([uasA, uasB, uasC]);
  });

  it('of the rule auto the first that leaves out a token', () => {
    const outcome = new Map<string, Outcome>([['a', result(job(1), right.a, 7)]]);
    const auto = plan([{ name: 'r', jobs: ['a'], punctuation: 'auto' }]);
    const cells = fill(auto, outcome);
    expect(cells[0][0].runs[0].rule).toBe('upos');
    const lines = provenance(cells, auto, '');
    expect(lines).toContain('Punctuation rule upos: tokens with UPOS PUNCT are left out.');
    expect(lines).toContain('Tokens left out: 7 of Small (upos).');
    const none = new Map<string, Outcome>([['a', result(job(1), right.a)]]);
    expect(fill(auto, none)[0][0].runs[0].rule).toBe('conllx');
  });
});

describe('the p-value of a row', () => {
  const counts = (...runs: readonly (readonly number[])[]) => ({
    correct: Int32Array.from(runs[0], (_, i) => runs.reduce((sum, run) => sum + run[i], 0)),
    total: Int32Array.from(runs[0], () => 10 * runs.length),
  });
  const p = (rows: readonly RowPlan[], baseline: string) =>
    filled(rows, { baseline }).cells.map(([cell]) => cell.figures.get('uas')!.p);

  it('is that of stratified shuffling against the baseline on the same sentences', () => {
    const rows = ['a', 'b', 'c'].map((name) => ({ name, jobs: [name] }));
    const { twoSided: ab } = stratifiedShuffling(counts(right.b), counts(right.a));
    const { twoSided: ac } = stratifiedShuffling(counts(right.c), counts(right.a));
    expect(p(rows, 'a')).toEqual([undefined, ab, ac]);
    const { twoSided: bc } = stratifiedShuffling(counts(right.c), counts(right.b));
    expect(p(rows, 'previous')).toEqual([undefined, ab, bc]);
  });

  it('weighs all seeds of a mean against as many of the baseline, and the chosen one of the best', () => {
    const baseline = { name: 'a', jobs: ['a'] };
    const seeds = { name: 'bc', jobs: ['b', 'c'] };
    const mean = stratifiedShuffling(counts(right.b, right.c), counts(right.a, right.a));
    expect(p([baseline, seeds], 'a')[1]).toBe(mean.twoSided);
    const best = stratifiedShuffling(counts(right.c), counts(right.a));
    expect(p([baseline, { ...seeds, statistic: 'best' }], 'a')[1]).toBe(best.twoSided);
  });
});

describe('a printed table', () => {
  const { table, cells } = filled(
    [
      { name: 'one', jobs: ['a'] },
      { name: 'three', jobs: ['a', 'b', 'c'] },
      { name: 'broken', jobs: ['a', 'broken'] },
      { name: 'too large', jobs: [] },
    ],
    { baseline: 'one' },
  );

  it('aligns means, and says what failed and what is not there', () => {
    const p = cells[1][0].figures.get('uas')!.p!.toFixed(3);
    expect(textTable(readableTables(table, cells)[0].table).split('\n')).toEqual([
      '                     UAS      p',
      '─────────  ─────────────  ─────',
      'one        50.00',
      `three      62.22 ± 13.47  ${p}`,
      'broken            failed',
      'too large              –',
      '',
    ]);
  });

  it('is cut into one for each column where it would be too wide', () => {
    const wide = (report: string[]) => {
      const columns = ['x', 'y'];
      const cells = table.cells.map(([cell]) => columns.map((column) => ({ ...cell, column })));
      const twice = { ...table, columns, cells, experiment: { ...table.experiment, report } } as typeof table;
      return readableTables(twice, fill(twice, outcomes)).map(({ title, table }) => [
        title,
        table.columns.map((column) => column.title),
      ]);
    };
    expect(wide(['uas', 'las'])).toEqual([
      ['', ['', 'x UAS', 'p', 'x LAS', 'p', 'y UAS', 'p', 'y LAS', 'p']],
    ]);
    const each = ['', 'UAS', 'p', 'LAS', 'p', 'LAA'];
    expect(wide(['uas', 'las', 'laa'])).toEqual([
      ['x', each],
      ['y', each],
    ]);
  });

  it('has every number in full precision in a column of its own as CSV', () => {
    const [header, one, three] = csvTable(dataTable(table, cells)).split('\r\n');
    expect(header).toBe('row,UAS,UAS deviation,UAS p');
    expect(one).toBe(`one,${uasA},,`);
    const { deviation, p } = cells[1][0].figures.get('uas')!;
    expect(three).toBe(`three,${(uasA + uasB + uasC) / 3},${deviation},${p}`);
  });

  it('is followed by all that its figures depend on', () => {
    expect(provenance(cells, table, 'parliament experiment x')).toEqual([
      'Made by: parliament experiment x',
      'Small: train small.conllu (100 sentences, SHA-256 abababababab…); it has no dev part: the last 10 sentences are held out.',
      'Seeds: 1 (one, too large); 1–3 (three); 1–2 (broken). Mean ± standard deviation over the seeds.',
      'Punctuation rule include: every token is scored.',
      'p: of the difference from “one”; stratified shuffling of the dev sentences, 10,000 rounds, two-sided, one comparison at a time.',
      'Small has 90 sentences to learn from: cells that ask for more are empty.',
    ]);
  });
});
