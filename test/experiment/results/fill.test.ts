import { describe, expect, it, test } from 'vitest';
import { figures } from '../../../experiment/cells/figures.ts';
import type { TrainedSettings } from '../../../experiment/definition/cell-settings.ts';
import type { Cell } from '../../../experiment/definition/plan.ts';
import type { Job } from '../../../experiment/jobs/job.ts';
import type { Finished, PhraseScores } from '../../../experiment/jobs/job-result.ts';
import { fill } from '../../../experiment/results/fill.ts';
import { plotOf } from '../../../experiment/results/plots.ts';
import { provenance } from '../../../experiment/results/provenance.ts';
import { experimentRecord } from '../../../experiment/results/record.ts';
import { dataTable, readableTables } from '../../../experiment/results/result-table.ts';
import { InputError } from '../../../src/errors.ts';
import { phraseScorers } from '../../../src/evaluate/parseval/scorers.ts';
import { stratifiedShuffling } from '../../../src/evaluate/significance/resampling.ts';
import { csvTable, textTable } from '../../../src/report/tables/table.ts';
import { fillFrom, job, plan, type RowPlan, result } from '../../support/experiment-plan.ts';

const right = { a: [4, 6, 8, 2, 6, 4], b: [6, 6, 8, 4, 6, 6], c: [8, 8, 8, 8, 6, 8] };
const outcomes = new Map<string, Finished>([
  ...Object.entries(right).map(([name, heads]) => [name, result(job(1), heads)] as const),
  ['broken', { problem: 'its process was ended by SIGKILL' }],
]);

async function filled(rows: readonly RowPlan[], experiment = {}) {
  const table = plan(rows, experiment);
  return { table, cells: await fillFrom(table, outcomes) };
}

const uas = (heads: readonly number[]) => (10 * heads.reduce((a, b) => a + b, 0)) / heads.length;
const [uasA, uasB, uasC] = [right.a, right.b, right.c].map(uas);

describe('a cell', () => {
  it('shows the mean and deviation over its seeds, or the best or worst of them', async () => {
    const jobs = ['a', 'b', 'c'];
    const { cells } = await filled([
      { name: 'mean', jobs },
      { name: 'best', jobs, statistic: 'best' },
      { name: 'worst', jobs, statistic: 'worst' },
    ]);
    const figures = cells.map(([cell]) => cell.figures.get('uas')!);
    expect(figures.map(({ value }) => value)).toEqual([(uasA + uasB + uasC) / 3, uasC, uasA]);
    expect(figures.map(({ deviation }) => deviation !== undefined)).toEqual([true, false, false]);
    expect(figures[0].runs).toEqual([uasA, uasB, uasC]);
  });

  it('uses for punctuation rule auto the first rule that leaves out a token', async () => {
    const outcome = new Map<string, Finished>([['a', result(job(1), right.a, 7)]]);
    const auto = plan([{ name: 'r', jobs: ['a'], punctuation: 'auto' }]);
    const cells = await fillFrom(auto, outcome);
    expect(cells[0][0].runs[0].rule).toBe('upos');
    const lines = provenance(cells, auto, '');
    expect(lines).toContain('Punctuation rule upos: tokens with UPOS PUNCT are left out.');
    expect(lines).toContain('Tokens left out: 7 of Small (upos).');
    const none = new Map<string, Finished>([['a', result(job(1), right.a)]]);
    expect((await fillFrom(auto, none))[0][0].runs[0].rule).toBe('conllx');
  });
});

test('one step of a training shared by a sweep has its own scores, not those at the end of training', async () => {
  const table = plan([{ name: '1', jobs: ['a'] }]);
  const steps = [
    { uas: 10, las: 5 },
    { uas: uasA, las: uasA / 2 },
  ];
  const cells = [[{ ...table.cells[0][0], step: 1 }]];
  const outcome = new Map<string, Finished>([['a', { ...result(job(1), right.a), steps }]]);
  const filled = await fillFrom(table, outcome, cells);
  const computed = { plan: table, cells: filled, finalCells: undefined, breakdowns: new Map(), command: '' };
  const [{ runs }] = experimentRecord(computed).cells as [{ runs: unknown }];
  expect(runs).toEqual([
    { seed: 1, punctuation: { rule: 'include', excluded: 0, tokens: 60 }, uas: 10, las: 5 },
  ]);
});

test('the times of a vote are known if those of all members are, but not for an oracle', async () => {
  const rows = ['parsers', 'file', 'oracle'].map((name) => ({ name, jobs: [name] }));
  const table = plan(rows, { report: ['seconds', 'memory'] });
  const { program, test, train } = job(1);
  const vote = (members: string[], method: 'superparser' | 'oracle' = 'superparser'): Job => {
    return { kind: 'vote', program, test, vote: { method, weights: 'equal' }, members };
  };
  const jobs = new Map<string, Job>([
    ...['a', 'b'].map((name) => [name, job(1)] as const),
    ['other', { kind: 'file', program, test, trees: train }],
    ['parsers', vote(['a', 'b'])],
    ['file', vote(['a', 'other'])],
    ['oracle', vote(['a', 'b'], 'oracle')],
  ]);
  const done = new Map(rows.map(({ name }) => [name, { ...result(job(1), right.a), job: jobs.get(name)! }]));
  const cells = await fillFrom({ ...table, jobs }, done);
  const shown = cells.map(([{ figures }]) => [...figures.values()].map(({ value }) => value));
  expect(shown).toEqual([
    [2, 100],
    [Number.NaN, Number.NaN],
    [Number.NaN, Number.NaN],
  ]);
});

describe('the plot of a sweep', () => {
  const values = ['b', 'a', 'c'].map((name) => ({ name, jobs: [name] }));
  const drawn = async (option: string, sizes: readonly number[]) => {
    const table = plan(values, { sweep: { option, values: [...sizes], fromOneTraining: false } });
    const cells = table.cells.map(([cell], i): [Cell] => {
      return [option === 'trainSentences' ? { ...cell!, trainSentences: sizes[i]! } : cell!];
    });
    const [, line] = /class="line" d="([^"]*)"/.exec(plotOf(table, await fillFrom(table, outcomes, cells)))!;
    return line!.match(/[ML][\d.]+/g)!;
  };
  const xOf = (line: readonly string[]) => line.map((point) => Number(point.slice(1)));

  it('goes from the smallest value to the largest, in whatever order they are given', async () => {
    const xs = xOf(await drawn('epochs', [2, 1, 3]));
    expect(xs).toHaveLength(3);
    expect(xs).toEqual(xs.toSorted((a, b) => a - b));
  });

  it('has no gap for a size that is larger than the treebank', async () => {
    const line = await drawn('trainSentences', [10, 500, 90]);
    expect(line.map((point) => point[0])).toEqual(['M', 'L']);
  });
});

describe('the p-value of a row', () => {
  const counts = (...runs: readonly (readonly number[])[]) => ({
    correct: Int32Array.from(runs[0], (_, i) => runs.reduce((sum, run) => sum + run[i], 0)),
    total: Int32Array.from(runs[0], () => 10 * runs.length),
  });
  const p = async (rows: readonly RowPlan[], baseline: string) =>
    (await filled(rows, { baseline })).cells.map(([cell]) => cell.figures.get('uas')!.p);

  it('comes from stratified shuffling against the baseline on the same sentences', async () => {
    const rows = ['a', 'b', 'c'].map((name) => ({ name, jobs: [name] }));
    const { twoSided: ab } = stratifiedShuffling(counts(right.b), counts(right.a));
    const { twoSided: ac } = stratifiedShuffling(counts(right.c), counts(right.a));
    expect(await p(rows, 'a')).toEqual([undefined, ab, ac]);
    const { twoSided: bc } = stratifiedShuffling(counts(right.c), counts(right.b));
    expect(await p(rows, 'previous')).toEqual([undefined, ab, bc]);
  });

  it('compares all seeds with the baseline for a mean, but only the chosen seed for a best', async () => {
    const baseline = { name: 'a', jobs: ['a'] };
    const seeds = { name: 'bc', jobs: ['b', 'c'] };
    const mean = stratifiedShuffling(counts(right.b, right.c), counts(right.a, right.a));
    expect((await p([baseline, seeds], 'a'))[1]).toBe(mean.twoSided);
    const best = stratifiedShuffling(counts(right.c), counts(right.a));
    expect((await p([baseline, { ...seeds, statistic: 'best' }], 'a'))[1]).toBe(best.twoSided);
  });

  it('is missing for runs on different sentences, for example on pooled treebanks', async () => {
    const other = { ...job(1), test: { ...job(1).test, from: 80 } };
    const whole = new Map<string, Finished>([...outcomes, ['other', result(other, right.b)]]);
    const rows = [
      { name: 'a', jobs: ['a', 'other'] },
      { name: 'b', jobs: ['b', 'other'] },
    ];
    const cells = await fillFrom(plan(rows, { baseline: 'a' }), whole);
    expect(cells[1][0].figures.get('uas')!.p).toBeUndefined();
  });

  it.each(['a', 'previous', undefined])(
    'reads the sentence scores of each result once, or not at all without a baseline: baseline %s',
    async (baseline) => {
      const names = Object.keys(right);
      const rows = names.map((name) => ({ name, jobs: [name] }));
      const table = plan(rows, { baseline, report: ['uas', 'las', 'laa'] });
      const whole = new Map(Object.entries(right).map(([name, heads]) => [name, result(job(1), heads)]));
      const read: string[] = [];
      const results = {
        result: async (name: string) => {
          read.push(name);
          return whole.get(name);
        },
      };
      await fill(table, whole, results);
      expect(read.sort()).toEqual(baseline === undefined ? [] : names);
    },
  );

  it('cannot be computed if a result has vanished from the cache', async () => {
    const rows = ['a', 'b'].map((name) => ({ name, jobs: [name] }));
    const table = plan(rows, { baseline: 'a' });
    const whole = new Map(rows.map(({ name }) => [name, result(job(1), right.a)]));
    const gone = { result: async () => undefined };
    await expect(fill(table, whole, gone)).rejects.toThrow(
      new InputError('the result of job b… is no longer in the cache: begin again'),
    );
  });
});

describe('a printed table', async () => {
  const { table, cells } = await filled(
    [
      { name: 'one', jobs: ['a'] },
      { name: 'three', jobs: ['a', 'b', 'c'] },
      { name: 'broken', jobs: ['a', 'broken'] },
      { name: 'too large', jobs: [] },
    ],
    { baseline: 'one' },
  );

  it('aligns means, and marks failed and missing cells', () => {
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

  it('is split into one table for each column if it would be too wide', async () => {
    const wide = async (report: string[]) => {
      const columns = ['x', 'y'];
      const cells = table.cells.map(([cell]) => columns.map((column) => ({ ...cell, column })));
      const twice = { ...table, columns, cells, experiment: { ...table.experiment, report } } as typeof table;
      return readableTables(twice, await fillFrom(twice, outcomes)).map(({ title, table }) => [
        title,
        table.columns.map((column) => column.title),
      ]);
    };
    expect(await wide(['uas', 'las'])).toEqual([
      ['', ['', 'x UAS', 'p', 'x LAS', 'p', 'y UAS', 'p', 'y LAS', 'p']],
    ]);
    const each = ['', 'UAS', 'p', 'LAS', 'p', 'LAA'];
    expect(await wide(['uas', 'las', 'laa'])).toEqual([
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

  it('is followed by lines about everything that its figures depend on', () => {
    expect(provenance(cells, table, 'parliament experiment x')).toEqual([
      'Made by: parliament experiment x',
      'Small: train small.conllu (100 sentences, SHA-256 abababababab…); it has no dev part: the last 10 sentences are held out.',
      'Tags and lemmas: gold.',
      'Seeds: 1 (one, too large); 1–3 (three); 1–2 (broken). Mean ± standard deviation over the seeds.',
      'Punctuation rule include: every token is scored.',
      'p: of the difference from “one”; stratified shuffling of the dev sentences (of several seeds the sum in each), 10,000 rounds, two-sided, one comparison at a time.',
      'Small has 90 sentences to learn from: cells that ask for more are empty.',
    ]);
  });

  it('mentions a significance test only if there is one, and sums only if runs are averaged', async () => {
    const lines = async (statistic: 'mean' | 'best', report: ['uas' | 'laa']) => {
      const rows = ['one', 'two'].map((name) => ({ name, jobs: ['a', 'b'], statistic }));
      const table = plan(rows, { baseline: 'one', report });
      const all = provenance(await fillFrom(table, outcomes), table, '');
      return all.filter((line) => line.startsWith('p: ')).map((line) => line.replace(/,.*/s, ''));
    };
    const test = 'p: of the difference from “one”; stratified shuffling of the dev sentences';
    expect(await lines('mean', ['uas'])).toEqual([`${test} (of several seeds the sum in each)`]);
    expect(await lines('best', ['uas'])).toEqual([test]);
    expect(await lines('mean', ['laa'])).toEqual([]);
  });

  it('distinguishes combined cells from others when it explains missing cells and deviations', async () => {
    const rows = [
      { name: 'one', jobs: ['a'] },
      { name: 'missing', jobs: [] },
      { name: 'pooled', jobs: ['a', 'b'] },
      { name: 'vote', jobs: [] },
    ];
    const table = plan(rows);
    const changes = [{}, { file: undefined }, { of: [] }, { of: [] }];
    const cells = table.cells.map(([cell], i): [Cell] => {
      const { paradigm: _, ...settings } = cell.settings as TrainedSettings;
      return [i === 0 ? cell : { ...cell, settings: { ...settings, ...changes[i] } as Cell['settings'] }];
    });
    const lines = provenance(await fillFrom(table, outcomes, cells), { ...table, cells }, '');
    expect(lines).toContain('Seeds: 1. Mean ± standard deviation over the runs of combined cells.');
    expect(lines.filter((line) => / empty\.$/.test(line))).toEqual([
      'Where another program has no file the cell is empty.',
    ]);
  });

  it('names the tagger and its accuracy if tags are not gold', async () => {
    const ways = [
      ['gold', {}, undefined],
      ['at test', { tags: 'predicted-at-test' }, undefined],
      ['folded', { tags: 'predicted' }, undefined],
      ['other', { tags: 'predicted' }, { ...table.cells[0][0].treebank, title: 'GENIA', learnt: 90 }],
    ] as const;
    const jobs = { gold: ['gold'], 'at test': ['at test'], folded: ['folded'], other: ['other', 'seed 2'] };
    const base = plan(ways.map(([name]) => ({ name, jobs: jobs[name] })));
    const cells = ways.map(([, tags, taggedBy], i): [Cell] => {
      const [cell] = base.cells[i] as [Cell];
      return [{ ...cell, settings: { ...cell.settings, ...tags } as Cell['settings'], taggedBy }];
    });
    const accuracy = { gold: 100, 'at test': 94.3, folded: 94.3, other: 81.525, 'seed 2': 82.525 };
    const done = new Map<string, Finished>(
      Object.entries(accuracy).map(([name, upos]) => [name, { ...result(job(1), [1]), tags: { upos } }]),
    );
    const tagged = { ...base, cells };
    const filled = await fillFrom(tagged, done);
    const lines = provenance(filled, tagged, '');
    const tagger = 'from a tagger trained on';
    const learnt = `in training; at test time ${tagger} the same sentences as the parser`;
    expect(lines).toContain(
      `Tags and lemmas: gold (gold); gold ${learnt} (at test); jack-knifed in 10 folds ${learnt} (folded); ${tagger} GENIA, the first 90 of small.conllu (100 sentences, SHA-256 abababababab…) (other).`,
    );
    expect(lines).toContain(
      'Tagging accuracy in the scored sentences: UPOS 94.30 % (at test, folded); UPOS 82.03 % (other).',
    );
    expect(provenance(filled, tagged, '', [filled[1]])).toEqual(
      expect.arrayContaining([
        'Tagging accuracy in the dev part: UPOS 94.30 % (at test, folded); UPOS 82.03 % (other).',
        'Tagging accuracy in the test part: UPOS 94.30 %.',
      ]),
    );
    const grammars = { paradigm: 'pcfg', options: {} } as object;
    const itself = cells.map(([cell]): [Cell] => [{ ...cell, settings: { ...cell.settings, ...grammars } }]);
    expect(
      provenance(await fillFrom({ ...base, cells: itself }, done), { ...base, cells: itself }, ''),
    ).toContain('Tags and lemmas: the parser’s own tags.');
    expect(figures.uposAccuracy.of(filled[3][0].runs[0])).toBe(81.525);
    expect(figures.xposAccuracy.of(filled[3][0].runs[0])).toBeNaN();
  });

  it('mentions another scored treebank, a limit on sentence length, and measured times', async () => {
    const rows = ['a', 'b'].map((name) => ({ name, jobs: [name] }));
    const table = plan(rows, { report: ['uas', 'seconds'] });
    const [[own], [other]] = table.cells as [[Cell], [Cell]];
    const dev = { path: '/data/genia.conllu', digest: 'cd'.repeat(32), encoding: 'utf-8', sentences: 5 };
    const changed = {
      ...other,
      scoredOn: { title: 'GENIA', dev, test: undefined },
      settings: { ...other.settings, maxTokens: 40 },
    };
    const cells = [[own], [changed]];
    const lines = provenance(await fillFrom({ ...table, cells }, outcomes), { ...table, cells }, '');
    expect(lines).toContain(
      'Small: train small.conllu (100 sentences, SHA-256 abababababab…), scored on GENIA, dev genia.conllu (5 sentences, SHA-256 cdcdcdcdcdcd…).',
    );
    expect(lines).toContain('Scored: sentences of all lengths (a); at most 40 tokens (b).');
    const { paradigm: _, ...file } = changed.settings as TrainedSettings;
    const files = [[{ ...changed, jobs: [], settings: { ...file, file: undefined } }]];
    expect(provenance(await fillFrom(table, outcomes, files), { ...table, cells: files }, '')).toContain(
      'Scored: sentences of at most 40 tokens.',
    );
    expect(lines).toContain(
      'Measured when the cell was computed, on one core, and not the same in another run: training s.',
    );
  });
});

describe('figures of phrase-structure trees', () => {
  const phrases = (matched: number[], f1: number): PhraseScores => ({
    ...{ precision: f1, recall: f1, f1, exactMatch: 0, taggingAccuracy: 90, warnings: ['few brackets'] },
    sentences: { matched, brackets: matched.map(() => 20) },
  });
  const matched = { x: [8, 10, 12, 8, 10, 12, 10, 8], y: [16, 18, 18, 16, 20, 18, 16, 18] };
  const scored = new Map<string, Finished>(
    Object.entries(matched).map(([name, each]) => {
      const f1 = (100 * each.reduce((a, b) => a + b, 0)) / (20 * each.length);
      const sets = phrases(each, f1 + 1);
      return [name, { ...result(job(1), right.a), phrases: { evalb: phrases(each, f1), sets } }];
    }),
  );
  const rows = ['x', 'y'].map((name) => ({ name, jobs: [name] }));

  it('use the scorer of the cell, and F1 is tested on its brackets', async () => {
    const table = plan(rows, { report: ['f1', 'uas'], baseline: 'x' });
    const figure = (await fillFrom(table, scored))[1][0].figures.get('f1')!;
    expect(figure.value).toBe(87.5);
    const counts = (name: 'x' | 'y') => ({
      correct: Int32Array.from(matched[name]),
      total: Int32Array.from(matched[name], () => 20),
    });
    expect(figure.p).toBe(stratifiedShuffling(counts('y'), counts('x')).twoSided);
    const bySets = plan(
      rows.map((row) => ({ ...row, brackets: 'sets' as const })),
      { report: ['f1'] },
    );
    expect((await fillFrom(bySets, scored))[1][0].figures.get('f1')!.value).toBe(88.5);
  });

  it('are not tested against those of another scorer', async () => {
    const mixed = [rows[0], { ...rows[1], brackets: 'sets' as const }];
    const { figures: y } = (
      await fillFrom(plan(mixed, { report: ['f1', 'uas'], baseline: 'x' }), scored)
    )[1][0];
    expect([y.get('f1')!.p, y.get('uas')!.p]).toEqual([undefined, 1]);
  });

  it('have their scorer named below the table, and a warning if there are no such trees', async () => {
    const table = plan(rows, { report: ['f1'] });
    const cells = await fillFrom(table, scored);
    const lines = provenance(cells, table, '');
    expect(lines).toContain(`Brackets scored by evalb: ${phraseScorers.evalb.summary}.`);
    expect(figures.f1.warnings(cells[0][0].runs[0])).toEqual(['few brackets']);
    const without = await fillFrom(plan([{ name: 'a', jobs: ['a'] }], { report: ['f1'] }), outcomes);
    expect(without[0][0].figures.get('f1')!.value).toBeNaN();
    expect(figures.f1.warnings(without[0][0].runs[0])).toEqual([
      'there are no phrase-structure trees to score',
    ]);
  });
});
