import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../experiment/definition/plan.ts';
import {
  type FileJob,
  filesOf,
  type Job,
  jobName,
  jobNeeds,
  type ParserJob,
  type TaggingJob,
  taggingsFor,
  type VoteJob,
  withFiles,
} from '../../../experiment/jobs/job.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { surfaceTokens } from '../../../src/treebank/surface.ts';
import { planIn } from '../../support/planned.ts';
import { samplePath, sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('plan');
const planOf = (content: object) => planIn(sandbox, content);

const members = [{ name: 'any tree' }, { name: 'projective', options: { decoder: 'eisner' } }];

it('finds word vectors beside the experiment file, and makes their content part of the job’s name', async () => {
  const rows = [{ name: 'with vectors', paradigm: 'network', options: { vectors: 'some.vec' } }];
  sandbox.save('some.vec', 'the 1 2\n');
  const { plan, jobOf } = await planOf({ rows });
  const job = jobOf<ParserJob>(0);
  expect(job.options.vectors).toMatchObject({ path: sandbox.path('some.vec') });
  expect(filesOf(job).map(({ path }) => path)).toContain(sandbox.path('some.vec'));
  const moved = withFiles(job, (file) => ({ ...file, path: `/elsewhere/${file.digest}` }));
  expect(jobName(moved)).toBe(jobName(job));
  expect((moved as ParserJob).options.vectors).toMatchObject({ path: expect.stringMatching(/^.elsewhere/) });
  sandbox.save('some.vec', 'the 1 3\n');
  expect((await planOf({ rows })).plan.cells[0][0].jobs).not.toEqual(plan.cells[0][0].jobs);
});

it('moves the files in a guide’s options together with the job’s other files', async () => {
  const guides = [{ parser: 'network', options: { vectors: 'guide.vec' } }];
  sandbox.save('guide.vec', 'the 1 2\n');
  const { jobOf } = await planOf({ rows: [{ name: 'guided', paradigm: 'graph', guides }] });
  const job = jobOf<ParserJob>(0);
  expect(filesOf(job).map(({ path }) => path)).toContain(sandbox.path('guide.vec'));
  const moved = withFiles(job, (file) => ({ ...file, path: '/elsewhere' })) as ParserJob;
  expect(moved.stacking?.guides[0].options.vectors).toMatchObject({ path: '/elsewhere' });
  expect(jobName(moved)).toBe(jobName(job));
});

describe('a vote over other rows', () => {
  it('has members trained on all sentences, and weights from twins trained without the last tenth', async () => {
    const vote = { method: 'reparse-cle', weights: 'las' };
    const { plan, jobOf } = await planOf({ rows: [...members, { name: 'vote', vote }] });
    const job = jobOf<VoteJob>(2);
    expect(job).toMatchObject({ kind: 'vote', vote, test: jobOf(0).test });
    expect(job.members).toEqual(plan.cells.slice(0, 2).flatMap(([cell]) => cell.jobs));
    expect(jobOf<ParserJob>(0).train).toMatchObject({ from: 0, to: 303 });
    expect(job.setAside!.test).toMatchObject({ path: samplePath('train'), from: 273, to: 303 });
    const twins = job.setAside!.members.map((name) => plan.jobs.get(name) as ParserJob);
    for (const [i, twin] of twins.entries()) {
      const { train, test: _, ...same } = jobOf<ParserJob>(i);
      expect(twin).toEqual({ ...same, train: { ...train, to: 273 }, test: job.setAside!.test });
    }
    expect(plan.jobs.size).toBe(5);
  });

  it('needs no twins if its weights are equal or it is an oracle', async () => {
    const rows = ['superparser', 'oracle'].map((method) => ({ name: method, vote: { method } }));
    const { plan, jobOf } = await planOf({ rows: [...members, ...rows] });
    for (const i of [2, 3]) expect(jobOf<VoteJob>(i).setAside).toBeUndefined();
    expect(plan.jobs.size).toBe(4);
  });

  it('has all seeds of the rows that it names as members', async () => {
    const rows = [{ ...members[0], seeds: [1, 2] }, members[1]];
    const vote = { name: 'vote', of: ['any tree'], vote: { method: 'superparser' } };
    const { plan, jobOf } = await planOf({ rows: [...rows, vote] });
    expect(jobOf<VoteJob>(2).members).toEqual(plan.cells[0][0].jobs);
    expect(plan.cells[0][0].jobs).toHaveLength(2);
  });

  it('holds out the last tenth of the members’ training sentences, not of the file', async () => {
    const vote = { name: 'vote', vote: { method: 'superparser', weights: 'uas' } };
    const { jobOf } = await planOf({
      sweep: { option: 'trainSentences', values: [50, 100] },
      columns: [...members, vote],
    });
    expect(jobOf<VoteJob>(0, 2).setAside!.test).toMatchObject({ from: 45, to: 50 });
    expect(jobOf<VoteJob>(1, 2).setAside!.test).toMatchObject({ from: 90, to: 100 });
  });

  it('a sweep leaves out sizes larger than the treebank; “all” stands for the whole treebank', async () => {
    const { plan } = await planOf({ sweep: { option: 'trainSentences', values: [1000, 100, 'all'] } });
    expect(plan.rows).toEqual(['100', 'all']);
    expect(plan.experiment.sweep!.values).toEqual([100, 'all']);
    expect(plan.tooMany).toEqual(['1000']);
    expect(plan.cells.map(([{ trainSentences }]) => trainSentences)).toEqual([100, 303]);
  });

  it('a baseline that is left out of the sweep is dropped with a warning', async () => {
    const sweep = { option: 'trainSentences', values: [1000, 100, 'all'] };
    const warnings = ['no row is compared with the baseline, 1000, which is left out'];
    for (const [baseline, left] of [
      ['1000', { baseline: undefined, warnings }],
      ['100', { baseline: '100', warnings: [] }],
      ['previous', { baseline: 'previous', warnings: [] }],
    ] as const) {
      const { experiment, warnings } = (await planOf({ sweep, baseline })).plan;
      expect({ baseline: experiment.baseline, warnings }).toEqual(left);
    }
  });

  it('is refused if its members parse or are trained on different sentences', async () => {
    const rows = (different: object) => [members[0], { ...members[1], ...different }];
    const vote = { name: 'vote', vote: { method: 'superparser', weights: 'uas' } };
    await expect(planOf({ rows: [...rows({ maxTokens: 20 }), vote] })).rejects.toThrow(
      'a vote’s members must parse the same sentences',
    );
    await expect(planOf({ rows: [...rows({ trainSentences: 9 }), vote] })).rejects.toThrow(
      'a vote’s members must be trained on the same sentences',
    );
  });
});

describe('a parser that judges its epochs by held-out sentences', () => {
  const judging = { name: 'patient', options: { epochs: 50, patience: 3 } };

  it.each([
    ['patience', judging],
    ['keep best', { name: 'best', options: { keep: 'best' } }],
  ])('holds out the last tenth of its training sentences, and is trained on the rest: %s', async (_, row) => {
    const { jobOf } = await planOf({ rows: [row, members[0]] });
    expect(jobOf<ParserJob>(0)).toMatchObject({
      train: { path: samplePath('train'), from: 0, to: 273 },
      heldOut: { path: samplePath('train'), from: 273, to: 303 },
      test: { path: samplePath('dev') },
    });
    expect(jobOf<ParserJob>(1)).not.toHaveProperty('heldOut');
    expect(jobOf<ParserJob>(1).train).toMatchObject({ from: 0, to: 303 });
  });

  it('holds out the setAside share of the first trainSentences sentences', async () => {
    const { jobOf } = await planOf({ rows: [{ ...judging, trainSentences: 100, setAside: 0.25 }] });
    expect(jobOf<ParserJob>(0)).toMatchObject({ train: { to: 75 }, heldOut: { from: 75, to: 100 } });
  });

  it('has the held-out sentences tagged by a tagger trained on the rest, unless tags are gold', async () => {
    const { jobOf } = await planOf({ rows: [{ ...judging, tags: 'predicted' }] });
    const job = jobOf<ParserJob>(0);
    const { heldOut } = taggingsFor(job);
    expect(heldOut).toMatchObject({ kind: 'tagging', learn: job.train, test: job.heldOut });
    expect(jobNeeds(job)).toContain(jobName(heldOut!));
  });

  it('cannot share one training between several numbers of epochs', async () => {
    const sweep = { option: 'epochs', values: [1, 2], fromOneTraining: true };
    const defaults = { treebank: 'sample', options: { patience: 3 } };
    await expect(planOf({ sweep, defaults })).rejects.toThrow('cannot choose among its epochs');
  });
});

describe('a row that combines others without a vote', () => {
  it('shows their runs by its own statistic', async () => {
    const best = { name: 'best', of: 'all', statistic: 'best' };
    const { plan } = await planOf({ rows: [...members, best] });
    expect(plan.cells[2][0].jobs).toEqual([plan.cells[0][0].jobs[0], plan.cells[1][0].jobs[0]]);
    expect(plan.cells[2][0].settings.statistic).toBe('best');
  });
});

describe('predicted tags', () => {
  const ways = [
    { name: 'gold' },
    { name: 'at test', tags: 'predicted-at-test' },
    { name: 'jack-knifed', tags: 'predicted' },
    { name: 'both', tags: 'both' },
  ];
  const taggings = ({ jobs }: Plan) =>
    [...jobs].filter((entry): entry is [string, TaggingJob] => entry[1].kind === 'tagging');

  it('come from two jobs that all parsers share: one for the test, one for the training sentences', async () => {
    const { plan, jobOf } = await planOf({ rows: members, columns: ways });
    const [[atTest, ofTest], [inFolds, ofTrain], ...more] = taggings(plan);
    expect(more).toEqual([]);
    const { train, test } = jobOf<ParserJob>(0);
    expect(ofTest).toMatchObject({ learn: train, test, seed: 1 });
    expect(ofTest.folds).toBeUndefined();
    expect(ofTrain).toMatchObject({ learn: train, test: train, seed: 1, folds: 10 });
    for (const i of [0, 1]) {
      expect(jobNeeds(jobOf(i, 0))).toEqual([]);
      expect(jobNeeds(jobOf(i, 1))).toEqual([atTest]);
      expect(jobNeeds(jobOf(i, 2))).toEqual([inFolds, atTest]);
      expect(jobNeeds(jobOf(i, 3))).toEqual([inFolds, atTest]);
      expect(jobOf<ParserJob>(i, 2).tags).not.toHaveProperty('besideGold');
      expect(jobOf<ParserJob>(i, 3).tags).toMatchObject({ inTraining: true, besideGold: true, folds: 10 });
    }
    expect(plan.jobs.size).toBe(10);
  });

  it('need a job of their own for another seed, number of folds or number of training sentences', async () => {
    const others = [{ seeds: [2] }, { folds: 3 }, { trainSentences: 100 }];
    const rows = [{}, ...others].map((settings, i) => ({ name: `row ${i}`, tags: 'predicted', ...settings }));
    const { plan, jobOf } = await planOf({ rows });
    expect(new Set(rows.map((_, i) => jobNeeds(jobOf(i))[0])).size).toBe(4);
    // The tagging of the test sentences does not depend on folds.
    expect(jobNeeds(jobOf(2))[1]).toBe(jobNeeds(jobOf(0))[1]);
    expect(taggings(plan)).toHaveLength(7);
  });

  it('can come from a tagger for another treebank, without jack-knifing', async () => {
    const taggedBy = { train: samplePath('test') };
    const { plan, jobOf } = await planOf({ rows: [{ name: 'r', tags: 'predicted', taggedBy }] });
    const { train, test } = jobOf<ParserJob>(0);
    const learn = { path: samplePath('test'), from: 0, to: 59 };
    const [ofTrain, ofTest] = taggings(plan).map(([, job]) => job);
    expect(ofTrain).toMatchObject({ learn, test: train });
    expect(ofTest).toMatchObject({ learn, test });
    expect(ofTrain.folds).toBeUndefined();
    expect(plan.cells[0][0].taggedBy).toMatchObject({ title: 'test.conllu', learnt: 59 });
  });

  it('are the same whether or not the treebank’s own tagger is named', async () => {
    const named = { taggedBy: { train: samplePath('train') }, tags: 'predicted' };
    const { jobOf } = await planOf({
      rows: [
        { name: 'a', tags: 'predicted' },
        { name: 'b', ...named },
      ],
    });
    expect(jobOf(1)).toEqual(jobOf(0));
  });

  it('of sentences set aside to learn a vote’s weights come from a tagger trained on the others', async () => {
    const vote = { name: 'vote', vote: { method: 'superparser', weights: 'uas' } };
    const { plan, jobOf } = await planOf({
      ...{ defaults: { treebank: 'sample', tags: 'predicted' }, rows: [...members, vote] },
    });
    const twin = plan.jobs.get(jobOf<VoteJob>(2).setAside!.members[0]) as ParserJob;
    const { train, test } = taggingsFor(twin);
    expect(train).toMatchObject({ learn: { from: 0, to: 273 }, test: { from: 0, to: 273 }, folds: 10 });
    expect(test).toMatchObject({ learn: { from: 0, to: 273 }, test: { from: 273, to: 303 } });
    expect([train, test].every((job) => plan.jobs.has(jobName(job!)))).toBe(true);
  });

  it('are refused if the tagger is trained on the sentences to tag, or if there are more folds than sentences', async () => {
    const row = { name: 'r', treebank: { train: samplePath('train') }, scoreOn: { dev: samplePath('test') } };
    const taggedBy = { train: samplePath('test') };
    await expect(planOf({ rows: [{ ...row, taggedBy, tags: 'predicted-at-test' }] })).rejects.toThrow(
      `${samplePath('test')}: the tagger would be trained on sentences that it is to tag`,
    );
    await expect(planOf({ rows: [{ ...row, trainSentences: 5, tags: 'predicted' }] })).rejects.toThrow(
      `${samplePath('train')}: 5 training sentences, fewer than folds`,
    );
  });

  it('are refused for a parser that does not read tags', async () => {
    const path = samplePath('train').replace('.conllu', '.mrg');
    const row = { name: 'r', paradigm: 'pcfg', treebank: { train: path }, tags: 'predicted-at-test' };
    await expect(planOf({ rows: [row] })).rejects.toThrow(
      'tags predicted-at-test: this pcfg parser tags for itself; with "tags": "given" among its options it reads tags',
    );
    await expect(planOf({ rows: [{ ...row, options: { tags: 'given' } }] })).resolves.toBeDefined();
  });
});

describe('the final figures of a cell', () => {
  const rows = [...members, { name: 'vote', vote: { method: 'superparser', weights: 'uas' } }];
  const finalJob = <J extends Job>({ finalCells, jobs }: Plan, i: number) =>
    jobs.get(finalCells![i][0].jobs[0]) as J;

  it('come from training on train and dev and scoring on test, and leave the dev figures unchanged', async () => {
    const { plan, jobOf } = await planOf({ rows, final: true });
    const { train, test } = finalJob<ParserJob>(plan, 0);
    expect(test).toMatchObject({ path: samplePath('test'), from: 0, to: 66 });
    expect(train).toMatchObject({ path: samplePath('train'), from: 0, to: 303 });
    expect(train.followedBy).toMatchObject({ path: samplePath('dev'), from: 0, to: 64 });
    const without = await planOf({ rows });
    expect(without.plan.finalCells).toBeUndefined();
    for (const i of rows.keys()) expect(jobOf(i)).toEqual(without.jobOf(i));
  });

  it('of a vote use weights learnt on the last tenth of train and dev together', async () => {
    const { plan } = await planOf({ rows, final: true });
    const { setAside } = finalJob<VoteJob>(plan, 2);
    expect(setAside!.test).toMatchObject({ path: samplePath('dev'), from: 27, to: 64 });
    const twin = plan.jobs.get(setAside!.members[0]) as ParserJob;
    expect(twin.train.followedBy).toMatchObject({ path: samplePath('dev'), from: 0, to: 27 });
  });

  it('use the given number of training sentences, first from train, then from dev', async () => {
    const { plan } = await planOf({
      ...{ final: true, sweep: { option: 'trainSentences', values: [200, 310, 400] } },
    });
    expect(finalJob<ParserJob>(plan, 0).train.followedBy).toBeUndefined();
    expect(finalJob<ParserJob>(plan, 1).train.followedBy).toMatchObject({ from: 0, to: 7 });
    expect(plan.cells[1][0].jobs).toEqual([]);
    expect(plan.rows).toEqual(['200', '310']);
  });

  it('use the whole training part if the treebank has no dev part', async () => {
    const treebank = { train: samplePath('train'), test: samplePath('test') };
    const { plan, jobOf } = await planOf({ final: true, rows: [{ name: 'r', treebank }] });
    expect(jobOf<ParserJob>(0).train).toMatchObject({ from: 0, to: 273 });
    expect(finalJob<ParserJob>(plan, 0).train).toMatchObject({ from: 0, to: 303 });
  });

  it('are missing without a test part, and refused if no treebank has one or it is in the training data', async () => {
    const own = { train: samplePath('train'), dev: samplePath('dev') };
    const columns = [
      { name: 'sample', treebank: 'sample' },
      { name: 'own', treebank: own },
    ];
    const { plan } = await planOf({ final: true, rows: [members[0]], columns });
    expect(plan.finalCells![0].map(({ jobs }) => jobs.length)).toEqual([1, 0]);
    await expect(planOf({ final: true, rows: [members[0]], defaults: { treebank: own } })).rejects.toThrow(
      'train.conllu has no test part to score on',
    );
    const copy = sandbox.save('copy.conllu', `\n${sampleText('dev')}`);
    for (const test of [samplePath('dev'), copy])
      await expect(
        planOf({ final: true, rows: [members[0]], defaults: { treebank: { ...own, test } } }),
      ).rejects.toThrow(`${test}: the test part is in the training data`);
  });
});

describe('a row of files of other programs', () => {
  const whole = samplePath('dev');
  const files = (path: string | object) => ({ name: 'other', files: path });

  it('is scored on the same test sentences as the other rows', async () => {
    const { jobOf } = await planOf({ rows: [members[0], files(whole)] });
    const { test } = jobOf<ParserJob>(0);
    expect(jobOf(1)).toMatchObject({ kind: 'file', test, trees: { path: whole, from: 0, to: 64 } });
    const own = { train: whole };
    const held = await planOf({ rows: [files(whole)], defaults: { treebank: own, maxTokens: 20 } });
    expect(held.jobOf<FileJob>(0).trees).toMatchObject({ from: 58, to: 64, maxTokens: 20 });
  });

  it('may contain only the test sentences, or only the short ones among them', async () => {
    const sentences = sampleText('dev').trimEnd().split('\n\n').slice(58);
    const isShort = (sentence: string) => (sentence.match(/^\d+\t/gm) ?? []).length <= 20;
    const short = sentences.filter(isShort);
    expect(short.length).toBeLessThan(sentences.length);
    for (const held of [sentences, short]) {
      const path = sandbox.save(`held-${held.length}.conllu`, `${held.join('\n\n')}\n\n`);
      const defaults = { treebank: { train: whole }, maxTokens: 20 };
      const { jobOf } = await planOf({ rows: [files(path)], defaults });
      expect(jobOf<FileJob>(0).trees).toMatchObject({ from: 0, to: held.length, maxTokens: 20 });
    }
  });

  it('has a file for each column, by its name or by a pattern; a cell without a file is empty', async () => {
    const columns = [{ name: 'dev' }, { name: 'train', scoreOn: { dev: samplePath('train') } }];
    const pattern = files(samplePath('dev').replace('dev.conllu', '{column}.conllu'));
    const { jobOf } = await planOf({ rows: [pattern], columns });
    expect([0, 1].map((j) => jobOf<FileJob>(0, j).trees.path)).toEqual([whole, samplePath('train')]);
    const { plan } = await planOf({ rows: [files({ dev: whole })], columns });
    expect(plan.cells[0].map(({ jobs }) => jobs.length)).toEqual([1, 0]);
  });

  it('has a file for the test part only if its path contains {part}', async () => {
    const named = whole.replace('dev.conllu', '{part}.conllu');
    const { plan } = await planOf({ final: true, rows: [files(whole), { name: 'both', files: named }] });
    expect(plan.finalCells!.map(([{ jobs }]) => jobs.length)).toEqual([0, 1]);
  });

  it('can be a member of a vote with equal weights, but not with learnt weights', async () => {
    const vote = (weights: string) => ({
      ...{ name: 'vote', of: ['any tree', 'other'], vote: { method: 'superparser', weights } },
    });
    const { plan, jobOf } = await planOf({ rows: [...members, files(whole), vote('equal')] });
    expect(jobOf<VoteJob>(3).members).toEqual([0, 2].map((i) => plan.cells[i][0].jobs[0]));
    await expect(planOf({ rows: [...members, files(whole), vote('uas')] })).rejects.toThrow(
      `${whole}: another program’s output, for which no weights can be learned: expected equal weights`,
    );
  });
});

describe('guides', () => {
  it('are planned with all their options, and trained in the given number of folds', async () => {
    const guided = { name: 'guided', guides: [{ parser: 'bigram' }], folds: 3 };
    const { jobOf } = await planOf({ rows: [members[0], guided] });
    expect(jobOf(0)).not.toHaveProperty('stacking');
    const { stacking } = jobOf<ParserJob>(1);
    expect(stacking).toMatchObject({ folds: 3, guides: [{ parser: 'bigram' }] });
    expect(Object.keys(stacking!.guides[0].options).length).toBeGreaterThan(2);
  });

  it('in the defaults apply only to cells whose parsers can use them', async () => {
    const defaults = { treebank: 'sample', guides: [{ parser: 'graph' }] };
    const rows = [{ name: 'graph' }, { name: 'bigram', paradigm: 'bigram' }, { name: 'alone', guides: [] }];
    const { jobOf } = await planOf({ defaults, rows });
    expect([0, 1, 2].map((i) => jobOf<ParserJob>(i).stacking !== undefined)).toEqual([true, false, false]);
  });
});

describe('the scored sentences', () => {
  it('are the dev part, the held-out last tenth of the training file, or another treebank’s dev part', async () => {
    const own = { train: samplePath('test') };
    const { jobOf } = await planOf({
      rows: [
        { name: 'dev' },
        { name: 'last tenth', treebank: own },
        { name: 'other', treebank: own, scoreOn: 'sample' },
      ],
    });
    expect(jobOf(0).test).toMatchObject({ path: samplePath('dev'), from: 0, to: 64 });
    expect(jobOf(1).test).toMatchObject({ path: samplePath('test'), from: 59, to: 66 });
    expect(jobOf(2).test).toEqual(jobOf(0).test);
    expect([1, 2].map((i) => jobOf<ParserJob>(i).train.to)).toEqual([59, 66]);
  });

  it('are the held-out part, even if scoreOn names the training file itself', async () => {
    const file = samplePath('test');
    const rows = [{ name: 'r', treebank: { train: file }, scoreOn: { dev: file } }];
    const { plan, jobOf } = await planOf({ rows });
    expect(jobOf<ParserJob>(0)).toMatchObject({ train: { to: 59 }, test: { path: file, from: 59, to: 66 } });
    expect(plan.cells[0][0].scoredOn).toBeUndefined();
  });

  it('cannot be limited by maxTokens so that no sentence is left', async () => {
    const defaults = { treebank: 'sample', maxTokens: 1 };
    await expect(planOf({ rows: [{ name: 'a' }], defaults })).rejects.toThrow(
      /dev\.conllu: no sentence to score is as short as maxTokens, 1$/,
    );
  });

  it('can be limited to a maximum number of tokens', async () => {
    const { jobOf } = await planOf({ rows: [{ name: 'short', maxTokens: 20 }] });
    expect(jobOf<ParserJob>(0).test.maxTokens).toBe(20);
    expect(jobOf<ParserJob>(0).train.maxTokens).toBeUndefined();
  });
});

describe('silver trees', () => {
  const row = (silver: object) => ({ rows: [{ name: 'student', silver }] });

  it('come from a whole file, or from its first sentences', async () => {
    const trees = samplePath('test');
    const { jobOf } = await planOf(row({ trees, sentences: 20, weight: 0.5, goldEpochs: 1 }));
    expect(jobOf(0)).toMatchObject({
      silver: { trees: { path: trees, from: 0, to: 20 }, weight: 0.5, goldEpochs: 1 },
    });
    const { jobOf: all } = await planOf(row({ trees, sentences: 1000 }));
    expect(all(0)).toMatchObject({ silver: { trees: { from: 0, to: 66 } } });
    const moved = withFiles(all(0), (file) => ({ ...file, path: `/elsewhere${file.path}` }));
    expect(moved).toMatchObject({ silver: { trees: { path: `/elsewhere${trees}` } } });
    expect(jobName(moved)).toBe(jobName(all(0)));
    expect(filesOf(all(0)).map(({ path }) => path)).toContain(trees);
  });

  it('in the defaults apply to parsers that can use them; scored sentences among them are refused', async () => {
    const rows = [{ name: 'a' }, { name: 'b', paradigm: 'bigram' }];
    const { jobOf } = await planOf({
      defaults: { treebank: 'sample', silver: { trees: samplePath('test') } },
      rows,
    });
    expect(jobOf(0)).toHaveProperty('silver');
    expect(jobOf(1)).not.toHaveProperty('silver');
    const problem = 'the silver trees contain sentences to be scored';
    await expect(planOf(row({ trees: samplePath('dev') }))).rejects.toThrow(problem);
    // Another parser’s trees for the dev sentences: it joins the first two words, and attaches each word to
    // the one before it.
    const parsed = readSentences(sampleText('dev')).map((sentence) => {
      const [first, second = '', ...rest] = surfaceTokens(sentence).map(({ form }) => form);
      const words = [first! + second, ...rest];
      return `${words.map((form, i) => `${i + 1}\t${form}\t_\t_\t_\t_\t${i}\troot\t_\t_\n`).join('')}\n`;
    });
    const trees = sandbox.save('parsed.conllu', parsed.join(''));
    await expect(planOf(row({ trees }))).rejects.toThrow(problem);
  });
});
