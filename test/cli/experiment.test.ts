import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runCellsHere } from '../support/cells-here.ts';
import { learnTaggersQuickly } from '../support/quick-tagger.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath, sampleText } from '../support/sample.ts';
import { env, options, rows, sandbox, save, small } from '../support/small-experiment.ts';

runCellsHere();
learnTaggersQuickly();

/** A pipe that waits for ever for somebody to write into it. */
function pipe(name: string): string {
  execFileSync('mkfifo', [sandbox.path(name)]);
  return sandbox.path(name);
}

const experiment = (...args: string[]) => runHere(['experiment', ...args], { env });

describe('parliament experiment', () => {
  it('gives the same figures as train, parse and evaluate', { timeout: 300_000 }, async () => {
    const model = sandbox.path('m');
    const flags = ['--limit', '40', '--bits', '14', '--epochs', '2', '--distance', 'exact', '--quiet'];
    await runHere(['train', 'graph', '--train', samplePath('train'), '--model', model, ...flags]);
    const parsed = sandbox.path('parsed.conllu');
    await runHere(['parse', '--model', model, samplePath('dev'), '-o', parsed, '--quiet']);
    const [report] = JSON.parse((await runHere(['evaluate', samplePath('dev'), parsed, '--json'])).stdout);

    const { status, stdout } = await experiment(save('figures'), '--json', '--quiet');
    expect(status).toBe(0);
    const [{ runs, figures }] = JSON.parse(stdout).cells;
    for (const name of ['uas', 'las', 'laa', 'rootAccuracy', 'completeRate']) {
      expect(runs[0][name]).toBe(report[name]);
    }
    expect(figures.uas.value).toBe(report.uas);
  });

  it('prints a table, what its figures depend on, and nothing that differs from run to run', async () => {
    const first = await experiment(save('table'));
    expect(first.status).toBe(0);
    expect(rows(first.stdout)[1][1]).toMatch(/^\d\d\.\d\d ± \d\.\d\d$/);
    expect(first.stdout).toContain(
      'Seeds: 1 (exact); 1–2 (bucket). Mean ± standard deviation over the seeds.',
    );
    expect(first.stdout).toContain('Learnt from: the first 40 sentences.');
    expect(first.stdout).toMatch(
      /Parliament sample: train train\.conllu \(303 sentences, SHA-256 fee25249a77b…\)/,
    );
    expect((await experiment(save('table'), '--cache', sandbox.path('other'), '--jobs', '1')).stdout).toBe(
      first.stdout,
    );
  });

  it('prints LaTeX, Markdown and CSV', async () => {
    const latex = (await experiment(save('formats'), '--to', 'latex')).stdout;
    expect(latex).toMatch(/\\caption\{.+\}\n\\label\{tab:.+\}\n\\begin\{tabular\}/);
    const markdown = (await experiment(save('formats'), '--format', 'markdown')).stdout;
    expect(markdown).toMatch(
      /^### Small\n\nFor tests\.\n\n\| +\| +UAS \| +p \| +LAS \| +p \|\n\| -+ \| -+: \|/,
    );
    const csv = (await experiment(save('formats'), '--format', 'csv')).stdout;
    expect(csv).toMatch(/^row,UAS,UAS deviation,UAS p,LAS,LAS deviation,LAS p\r\nexact,\d+\.\d+,,,/);
  });

  it('prints error breakdowns as text and JSON, and says that CSV leaves them out', async () => {
    const file = save('breakdowns', { by: ['distance'] });
    const { breakdowns } = JSON.parse((await experiment(file, '--json', '--quiet')).stdout);
    const [{ parser, buckets }, ...others] = breakdowns.dev.distance;
    expect([parser, ...others.map((other: { parser: string }) => other.parser)]).toEqual(
      small.rows.map(({ name }) => name),
    );
    expect(buckets[0]).toMatchObject({ bucket: 'root', unlabelled: { f1: expect.any(Number) } });
    const shown = buckets.slice(0, 3).map((one: (typeof buckets)[0]) => one.unlabelled.f1.toFixed(1));
    const { stdout } = await experiment(file, '--quiet');
    expect(stdout).toMatch(new RegExp(`^${parser} +${shown.join(' +')} `, 'm'));
    const csv = await experiment(file, '--to', 'csv');
    expect(csv.stderr).toContain('note: CSV has no error breakdowns: --json has\n');
    expect(csv.stdout.split('\r\n')).toHaveLength(1 + small.rows.length + 1);
    expect((await experiment(save('breakdowns', {}), '--to', 'csv')).stderr).not.toContain('note:');
  });

  it.each([
    ['epochs', {}],
    ['members', { learner: 'bayes-point' }],
  ])('draws a sweep of %s, with the same figures from one training as from several', async (option, more) => {
    const table = (fromOneTraining: boolean) =>
      save(`sweep-${option}-${fromOneTraining}`, {
        ...{ rows: undefined, baseline: undefined },
        sweep: { option, values: [1, 2], fromOneTraining },
        defaults: { treebank: 'sample', trainSentences: 30, options: { ...options, ...more } },
      });
    const one = await experiment(table(true), '--plot', sandbox.path(`${option}.svg`));
    expect(one.stderr).toContain('[1/1]');
    const each = await experiment(table(false));
    expect(each.stderr).toContain('[2/2]');
    expect(rows(one.stdout)).toEqual(rows(each.stdout));
    expect(rows(one.stdout).map(([value]) => value)).toEqual(['1', '2']);
    expect(sandbox.read(`${option}.svg`)).toMatch(/^<svg[^>]*>/);
  });

  it('draws accuracy against speed if both are reported', async () => {
    const table = save('speeds', { report: ['las', 'sentencesPerSecond'], baseline: undefined });
    expect((await experiment(table, '--plot', sandbox.path('speeds.svg'))).status).toBe(0);
    expect(sandbox.read('speeds.svg')).toMatch(/<desc>LAS \(%\) by sentences\/s parsed\. frontier – \d/);
  });

  it('puts other treebanks into the table, and holds out the last tenth if there is no dev part', async () => {
    const file = save('other', { defaults: { ...small.defaults, trainSentences: 100 } });
    const { stdout } = await experiment(file, '--train', samplePath('test'), '--quiet');
    expect(stdout).toContain('it has no dev part: the last 7 sentences are held out.');
    expect(stdout).toContain('Learnt from: all sentences.');
    const two = await experiment(
      file,
      '--treebank',
      'sample',
      '--train',
      samplePath('test'),
      '--dev',
      samplePath('dev'),
      '--format',
      'csv',
    );
    expect(two.stdout).toMatch(/^row,Parliament sample UAS,.*,test\.conllu UAS,/);
  });

  it('shows the scores of the table while it runs', async () => {
    const defaults = { ...small.defaults, punctuation: 'upos' };
    const file = save('progress', { baseline: undefined, defaults, rows: small.rows.slice(0, 1) });
    const { stdout, stderr } = await experiment(file, '--cache', sandbox.path('progress'));
    const [, uas, las] = rows(stdout)[0];
    expect(stderr).toContain(`exact  UAS ${uas} LAS ${las} `);
  });

  it('says that a member votes once for each seed', async () => {
    const rows = [...small.rows, { name: 'vote', vote: { method: 'superparser', weights: 'equal' } }];
    const { stdout } = await experiment(save('several', { rows }));
    expect(stdout).toContain('A member with several seeds votes once per seed: 3 votes of 2 members.');
  });

  it('votes over the rows, and tests the vote against the best row', async () => {
    const file = save('votes', {
      baseline: 'best',
      rows: [
        { name: 'CLE' },
        { name: 'Eisner', options: { decoder: 'eisner' } },
        { name: 'best', of: 'all', statistic: 'best' },
        { name: 'vote', vote: { method: 'superparser', weights: 'uas' } },
        { name: 'oracle', vote: { method: 'oracle' } },
      ],
    });
    const { status, stdout, stderr } = await experiment(file);
    expect(status).toBe(0);
    expect(stderr).toContain('graph, for the weights of a vote');
    const [cle, eisner, best, vote, oracle] = rows(stdout).map(([, uas]) => Number(uas));
    expect(best).toBe(Math.max(cle, eisner));
    expect(oracle).toBeGreaterThanOrEqual(Math.max(best, vote));
    expect(stdout).toContain('Vote weights: learned from the last training sentences (4 of 40)');
    expect((await experiment(file, '--cache', sandbox.path('votes'), '--jobs', '1')).stdout).toBe(stdout);
    const { cells } = JSON.parse((await experiment(file, '--json', '--quiet')).stdout);
    expect(cells[3]).toMatchObject({
      of: [{ row: 'CLE' }, { row: 'Eisner' }],
      vote: { method: 'superparser', weights: 'uas' },
    });
  });

  it('tags the treebanks as the columns specify, once for all parsers, and reports the accuracy', async () => {
    const tags = (name: string, row: object) =>
      save(name, {
        baseline: undefined,
        report: ['uas', 'uposAccuracy'],
        defaults: { ...small.defaults, trainSentences: 14, folds: 2 },
        rows: [{ name: 'parser', ...row }],
        columns: [
          { name: 'own' },
          { name: 'at test', tags: 'predicted-at-test' },
          { name: 'both', tags: 'predicted' },
        ],
      });
    const file = tags('tags', {});
    expect((await experiment(file, '--dry-run')).stdout).toContain(
      '3 trainings and 2 taggings, of which 0 done',
    );
    const { stdout, stderr } = await experiment(file);
    expect(stderr).toMatch(/\[1\/5\] tags of train\.conllu in 2 folds {2}UPOS \d\d\.\d\d XPOS /);
    expect(stderr).toMatch(
      /\[2\/5\] tags of dev\.conllu, learnt from train\.conllu {2}UPOS \d\d\.\d\d XPOS /,
    );
    const [[, own, ownTags, atTest, tagsAtTest, both, tagsOfBoth]] = rows(stdout);
    expect(ownTags).toBe('100.00');
    expect(Number(tagsAtTest)).toBeLessThan(100);
    expect(tagsOfBoth).toBe(tagsAtTest);
    expect(new Set([own, atTest, both]).size).toBe(3);
    expect(stdout).toContain('Tags and lemmas: gold (own); gold in training; at test time from a tagger');
    expect(stdout).toContain(`Tagging accuracy in the scored sentences: UPOS ${tagsAtTest} %, XPOS `);
    const other = await experiment(tags('other-tags', { options: { decoder: 'eisner' } }));
    expect(other.stderr).toContain('[3/3]');
    expect(other.stderr).not.toContain('tags of');
  });

  it('warns at once, under the table and in JSON if scored sentences are also trained on', async () => {
    const train = sandbox.save('longer.conllu', sampleText('train') + sampleText('dev'));
    const treebank = { train, dev: samplePath('dev') };
    const file = save('leaking', { defaults: { treebank, options }, rows: [small.rows[0]] });
    const warning = 'longer.conllu: 64 of 64 sentences of dev.conllu (100.0% of its tokens) are also in';
    expect((await experiment(file, '--dry-run')).stderr).toContain(`parliament: warning: ${warning}`);
    const { stdout, stderr } = await experiment(file, '--quiet');
    expect(stderr.split(warning)).toHaveLength(2);
    expect(stdout.split(`\n${warning}`)).toHaveLength(2);
    const { warnings } = JSON.parse((await experiment(file, '--json', '--quiet')).stdout);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  it('lists the bundled experiments, and checks them all with --dry-run', async () => {
    expect((await experiment('--list')).stdout).toMatch(/^ladder +What each step adds$/m);
    expect(JSON.parse((await experiment('--list', '--json')).stdout)).toContainEqual({
      name: 'ladder',
      title: 'What each step adds',
    });
    const checked = await experiment('--dry-run');
    expect(checked.stderr).toBe('');
    expect(checked.stdout).toMatch(/^ladder: 7 × 1 cells, 16 runs$/m);
  });

  it.each([
    [['ladder', '--list'], '--list only lists the bundled experiments: expected no experiment'],
    [['--list', '--final'], '--list only lists the bundled experiments: expected no --final'],
    [
      ['--queue', 'redis://localhost', '--status', '--dry-run'],
      '--status shows the whole queue: expected no --dry-run',
    ],
    [['--list', '--format', 'csv'], '--list: expected --to text or json'],
    [['--queue', 'redis://localhost', '--status', '--format', 'markdown'], '--status: expected --to text'],
    [['ladder', '--json', '--format', 'csv'], '--json or --format csv, not both'],
    [['--dry-run', '--json'], '--dry-run: expected --to text'],
    [['ladder', '--dry-run', '--to', 'csv'], '--dry-run: expected --to text'],
    [['--dry-run', '--treebank', 'nope'], '--treebank: name the experiment'],
    [['epochs', '--plot', '-', '--json'], '--plot -: expected a file, as standard output has the table'],
    [['epochs', '--plot', '/dev/stdout'], '--plot /dev/stdout: expected a file'],
    [
      [save('x'), ...['--treebank', 'sample', '--treebank', 'sample']],
      '--treebank: “Parliament sample” is given',
    ],
    [['ladder', '--queue', 'x', '--dry-run'], 'no address of a queue, expected redis://'],
    [['ladder', '--memory', '8'], 'Expected a size such as 500MB or 8GB'],
  ])('refuses %j', async (args, message) => {
    const { status, stderr } = await experiment(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it('with --dry-run, says how many trainings there are and how many are done', async () => {
    const file = save('dry', { defaults: { ...small.defaults, trainSentences: 50 } });
    expect((await experiment(file, '--dry-run')).stdout).toBe(
      `${file}: 2 × 1 cells, 3 trainings, of which 0 done\n`,
    );
    await experiment(file);
    expect((await experiment(file, '--dry-run')).stdout).toBe(
      `${file}: 2 × 1 cells, 3 trainings, of which 3 done\n`,
    );
  });
});

describe('a final table', () => {
  const table = (changes: object = {}) => ({
    ...{ averages: true, baseline: 'graph', columns: [{ name: 'Sample', treebank: 'sample' }] },
    ...{ defaults: { trainSentences: 40, options }, report: ['uas'] },
    rows: [
      { name: 'graph', seeds: [1, 2] },
      { name: 'guided', guides: [{ parser: 'bigram' }], folds: 2 },
    ],
    ...changes,
  });

  it('shows parsers by treebanks for dev and for test, with --final or as its file says', async () => {
    const byFlag = await experiment(save('final', table()), '--final', '--quiet');
    expect(byFlag.status).toBe(0);
    expect(byFlag.stdout).toMatch(/^dev$.*^graph .*^guided .*^test$.*^graph .*^guided /ms);
    expect(byFlag.stdout).toMatch(
      /^Parliament sample, final: learnt from train\.conllu and dev\.conllu, scored on test/m,
    );
    expect(byFlag.stdout).toMatch(/^Made by: parliament experiment .*final\.json --final$/m);
    const csv = await experiment(save('final', table({ final: true })), '--format', 'csv', '--quiet');
    const cells = csv.stdout
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').slice(0, 2).join(' '));
    expect(cells).toEqual(['row part', 'graph dev', 'guided dev', 'graph test', 'guided test']);
  });

  it('of the user’s own files needs --test, which goes only with --train and --final', async () => {
    const own = ['--train', samplePath('train'), '--dev', samplePath('dev')];
    const file = save('own-final', table({ averages: false, baseline: undefined, columns: undefined }));
    const refusals = [
      [[...own, '--test', samplePath('test')], '--test goes with --final'],
      [['--test', samplePath('test'), '--final'], '--test belongs to --train'],
      [[...own, '--final'], 'train.conllu has no test part to score on'],
    ] as const;
    for (const [flags, problem] of refusals) {
      expect(await experiment(file, ...flags)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(problem),
      });
    }
    const made = await experiment(file, ...own, '--test', samplePath('test'), '--final', '--quiet');
    expect(made.stdout).toMatch(/^dev$.*^test$/ms);
    const alwaysFinal = { averages: false, baseline: undefined, columns: undefined, final: true };
    const final = save('always-final', table(alwaysFinal));
    expect(await experiment(final, ...own, '--test', samplePath('test'), '--dry-run')).toMatchObject({
      status: 0,
    });
  });
});

describe('a cache with changed trees', () => {
  it.each([
    ['cut short', (trees: Buffer) => trees.subarray(0, trees.length / 2)],
    ['exchanged for the right ones', () => gzipSync(sampleText('dev'))],
  ])('gives the same table again if trees were %s', async (how, change) => {
    const file = save('changed', {
      baseline: undefined,
      rows: [small.rows[0], { name: 'vote', vote: { method: 'superparser' } }],
    });
    const cache = sandbox.path(`cache-changed ${how}`);
    const args = [file, '--cache', cache, '--format', 'csv'];
    const { stdout } = await experiment(...args);
    const path = (name: string) => join(cache, 'trees', name);
    for (const name of readdirSync(join(cache, 'trees'))) {
      writeFileSync(path(name), change(readFileSync(path(name))));
    }
    const again = await experiment(...args);
    expect(again).toMatchObject({ status: 0, stdout });
    expect(again.stderr).toContain('[2/2]');
    expect((await experiment(...args)).stderr).toBe('');
  });
});

describe('a cell that fails', () => {
  const rowsWith = (bad: object) => ({ rows: [small.rows[0], { name: 'bad', ...bad }] });

  it('is reported with its message and exit code 1, and the other cells are computed', async () => {
    const treebank = sandbox.save(
      'untagged.conllu',
      sampleText('train').replace(/^((\d+\t)(\S+\t){3})\S+/gm, '$1_'),
    );
    const file = save('failing', rowsWith({ treebank: { train: treebank }, options: { tag: 'xpos' } }));
    const { status, stdout, stderr } = await experiment(file, '--quiet');
    expect(stderr).toBe(`parliament: warning: bad: tag xpos: ${treebank} has no such tags\n`);
    expect(status).toBe(1);
    expect(rows(stdout)[0][1]).toMatch(/^\d\d\.\d\d$/);
    expect(rows(stdout)[1]).toEqual(['bad', 'failed', 'failed']);
    expect(JSON.parse((await experiment(file, '--json', '--quiet')).stdout).cells[1].problem).toMatch(
      /no such tags/,
    );
  });
});

describe('parliament experiment refuses', () => {
  it.each([
    ['a missing name', [], /name an experiment: one of .*ladder/],
    ['an unknown name', ['laddr'], /no experiment is called “laddr” \(Did you mean ladder\?\); there are/],
    [
      'a faulty file',
      [save('faulty', { report: ['speed'] })],
      /faulty\.json: report\[0\]: expected one of uas, las/,
    ],
    [
      'a treebank that has not been downloaded',
      ['ladder'],
      /ud-english-ewt is not here yet: parliament data get ud-english-ewt/,
    ],
    [
      'a treebank that can be read only once',
      [save('x'), '--train', '/dev/null'],
      /\/dev\/null: is read several times, expected a regular file/,
    ],
    [
      'a pipe that nobody writes into, without waiting for ever',
      [save('x'), '--train', pipe('silent')],
      /silent: is read several times, expected a regular file/,
    ],
    ['an unknown treebank', [save('x'), '--treebank', 'y'], /no treebank is called “y”/],
    [
      'a missing treebank file',
      [save('x'), '--train', 'no.conllu'],
      /no\.conllu: cannot be read: no such file/,
    ],
    ['--dev without --train', [save('x'), '--dev', 'd'], /--dev belongs to --train/],
    [
      '--dev if everything is scored on another treebank',
      [
        save('elsewhere', { defaults: { scoreOn: 'sample' } }),
        ...['--train', samplePath('test'), '--dev', samplePath('dev')],
      ],
      /--dev has no effect: this table is scored on other treebanks, by its scoreOn/,
    ],
    [
      '--test if all columns are scored on another treebank',
      [
        save('elsewhere-final', {
          columns: [
            { name: 'c', scoreOn: 'sample' },
            { name: 'all', of: 'all' },
          ],
        }),
        ...['--final', '--train', samplePath('train')],
        ...['--dev', samplePath('dev'), '--test', samplePath('test')],
      ],
      /--test has no effect: this table is scored on other treebanks, by its scoreOn/,
    ],
    ['--encoding without --train', [save('x'), '--encoding', 'utf-8'], /--encoding belongs to --train/],
    [
      'a plot without a sweep or speeds',
      [save('x'), '--plot', 'x.svg'],
      /x\.json has nothing to plot: neither a sweep over numbers nor an accuracy and sentencesPerSecond/,
    ],
    [
      'a value of --memory that is not a size',
      [save('x'), '--memory', 'much'],
      /Expected a size such as 500MB or 8GB/,
    ],
    [
      'an unknown output format',
      [save('x'), '--format', 'html'],
      /Allowed choices are text, markdown, latex, csv, json/,
    ],
    [
      'a cache folder that cannot be created',
      [save('x'), '--cache', save('file')],
      /file\.json: cannot make this folder/,
    ],
  ])('%s, in one line and with exit code 2', async (_, args, message) => {
    const { status, stdout, stderr } = await experiment(...args);
    expect(stderr).toMatch(/^parliament: error: [^\n]*\n$/);
    expect(stderr).toMatch(message);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
