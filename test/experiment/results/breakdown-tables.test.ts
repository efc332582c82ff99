import { describe, expect, it } from 'vitest';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { runJob } from '../../../experiment/cells/run-job.ts';
import type { TrainedSettings } from '../../../experiment/definition/cell-settings.ts';
import type { Cell, Plan } from '../../../experiment/definition/plan.ts';
import { type Job, jobName } from '../../../experiment/jobs/job.ts';
import { programOf } from '../../../experiment/jobs/program.ts';
import { breakdownTables, errorBreakdowns } from '../../../experiment/results/breakdown-tables.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { fillFrom, plan } from '../../support/experiment-plan.ts';
import { samplePath, sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('breakdown-tables');
const cache = await CellCache.open(sandbox.path('cache'));

async function selection(path: string) {
  return { path, digest: await fileDigest(path), encoding: 'utf-8', from: 0, to: 64 };
}

/** The gold trees with the label sbj in place of obj. */
const wrong = sandbox.save('wrong.conllu', sampleText('dev').replace(/\tobj\t/g, '\tsbj\t'));

async function outcome(path: string) {
  const job: Job = {
    ...{ kind: 'file', program: programOf({ kind: 'file' }) },
    ...{ test: await selection(samplePath('dev')), trees: await selection(path) },
  };
  await cache.writeJob(jobName(job), job);
  return [jobName(job), await runJob(jobName(job), { cache, cores: 1 })] as const;
}

async function tablesOf(table: Plan, finished: Parameters<typeof fillFrom>[1]) {
  return breakdownTables(await errorBreakdowns(table, await fillFrom(table, finished), cache), table);
}

describe('the breakdown tables', () => {
  it('show the scores of evaluate for the buckets with the most arcs', async () => {
    const outcomes = [await outcome(samplePath('dev')), await outcome(wrong)];
    const by = ['label', 'distance'] as const;
    const table: Plan = plan(
      outcomes.map(([job], i) => ({ name: ['right', 'wrong'][i]!, jobs: [job] })),
      { by: [...by] },
    );
    const [labels, distances] = await tablesOf(table, new Map(outcomes));
    expect(labels!.title).toMatch(/^LAS F1 by label, the 10 most frequent of \d\d$/);
    expect(distances!.title).toMatch(/^UAS F1 by distance, the 10 most frequent of \d\d$/);
    expect(labels!.table.rows.map(([name]) => name)).toEqual(['% of arcs', 'right', 'wrong']);
    const gold = await openTreebank(samplePath('dev'));
    const { breakdowns } = await evaluate(gold, await openTreebank(wrong), { by: ['label'] });
    const { columns, rows } = labels!.table;
    expect(columns).toHaveLength(11);
    for (const [k, { title }] of columns.entries()) {
      if (k === 0) continue;
      const bucket = breakdowns.label!.find((one) => one.bucket === title)!;
      expect(rows[2]![k]).toBe(bucket.labelled.f1.toFixed(1));
      expect(rows[1]![k]).toBe('100.0');
    }
    expect(distances!.table.columns.map(({ title }) => title).slice(1, 4)).toEqual(['root', '1', '2']);
    expect(distances!.table.rows[2]!.slice(1)).toEqual(Array(10).fill('100.0'));
  });

  it('show the run that is the best or worst by the score of the table', async () => {
    const moved = sandbox.save('moved.conllu', sampleText('dev').replace(/\d+\tcc\t/g, '0\tcc\t'));
    const outcomes = [await outcome(wrong), await outcome(moved)];
    const jobs = outcomes.map(([job]) => job);
    const statistics = ['best', 'worst'] as const;
    const table = plan(
      [
        ...statistics.map((statistic) => ({ name: statistic, jobs, statistic })),
        ...jobs.map((job) => ({ name: job, jobs: [job] })),
      ],
      { by: ['label', 'distance'], report: ['uas', 'las'] },
    );
    const [labels, distances] = await tablesOf(table, new Map(outcomes));
    const rows = ({ table }: typeof labels) => table.rows.slice(1).map(([_, ...scores]) => scores);
    const [bestByLas, worstByLas, wrongByLas, movedByLas] = rows(labels);
    expect([bestByLas, worstByLas]).toEqual([movedByLas, wrongByLas]);
    const ofFinal = await tablesOf({ ...table, finalCells: [] }, new Map(outcomes));
    expect(ofFinal.map(({ title }) => title)).toEqual([`${labels.title}, dev`, `${distances.title}, dev`]);
    const [bestByUas, worstByUas, wrongByUas, movedByUas] = rows(distances);
    expect([bestByUas, worstByUas]).toEqual([wrongByUas, movedByUas]);
    expect(movedByUas).not.toEqual(wrongByUas);
    expect(movedByLas).not.toEqual(wrongByLas);
  });

  it('count a run only once if a combined column pools it again', async () => {
    const outcomes = [await outcome(samplePath('dev')), await outcome(wrong)];
    const [one, two] = outcomes.map(([job]) => [job]);
    const table = plan([{ name: 'a', jobs: [] }], { by: ['label'] });
    const [[cell]] = table.cells as [[Cell]];
    const own = [one, two].map((jobs): Cell => ({ ...cell, jobs }));
    const { paradigm: _, ...settings } = cell.settings as TrainedSettings;
    const of = [{ row: 0, column: 0 }];
    const pooled: Cell = { ...cell, jobs: one, settings: { ...settings, of, vote: undefined } };
    const tables = (cells: Cell[]) =>
      tablesOf({ ...table, columns: cells.map((_, j) => `${j}`), cells: [cells] }, new Map(outcomes));
    expect(await tables([...own, pooled])).toEqual(await tables(own));
  });

  it('are left out if none is requested, or if no cell has a result', async () => {
    for (const by of [[], ['label' as const]])
      expect(await tablesOf(plan([{ name: 'a', jobs: [] }], { by }), new Map())).toEqual([]);
  });
});
