import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { voteJob } from '../../../experiment/definition/vote-plan.ts';
import { type Job, jobName, type ParserJob } from '../../../experiment/jobs/job.ts';
import { allParadigms, paradigmNames } from '../../../parsers/registry.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import { Sandbox } from '../../support/sandbox.ts';

const run = promisify(execFile);
const sandbox = new Sandbox('program');
const dist = join(packageFolder, 'dist');
type Programs = typeof import('../../../experiment/jobs/program.ts');
type Code = typeof import('../../../src/program-digest.ts');
const programModule = (folder: string) => join(folder, 'dist/experiment/jobs/program.js');

/** A copy of the built program whose files the tests may change. */
const copy = sandbox.path('copy');

beforeAll(async () => {
  mkdirSync(copy);
  cpSync(dist, join(copy, 'dist'), { recursive: true });
  cpSync(join(packageFolder, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(packageFolder, 'node_modules'), join(copy, 'node_modules'));
  Object.assign(unchanged, await codes());
});

/** The code digests of every paradigm’s jobs, of votes, and of tagging jobs, from a separate process. */
async function codes(): Promise<Record<string, string>> {
  const script = `
    const { programOf } = await import(${JSON.stringify(pathToFileURL(programModule(copy)).href)});
    const names = ${JSON.stringify(paradigmNames())};
    const parsers = names.map((paradigm) => [paradigm, programOf({ kind: 'parser', paradigm }).code]);
    const others = ['vote', 'tagging'].map((kind) => [kind, programOf({ kind }).code]);
    console.log(JSON.stringify(Object.fromEntries([...parsers, ...others])));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout);
}

const unchanged: Record<string, string> = {};

/** The names of the digests that change with this file, which is restored afterwards. */
async function changedBy(file: string, more = 'void 0;'): Promise<string[]> {
  const path = join(copy, 'dist', file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, `${text}${more}\n`);
  const after = await codes();
  writeFileSync(path, text);
  return Object.keys(after).filter((name) => unchanged[name] !== after[name]);
}

const parsers = paradigmNames();
const all = [...parsers, 'vote', 'tagging'];

describe('the digest of the code that a job runs', () => {
  it.each([
    ['a paradigm’s own code', 'parsers/bigram/paradigm.js', ['bigram']],
    [
      'code that only worker threads run',
      'parsers/yamada-matsumoto/classifiers/classifier-training.js',
      ['yamada-matsumoto'],
    ],
    ['reading files, which every job does', 'src/files/text-file.js', all],
    ['counting votes', 'combine/vote/vote.js', ['vote']],
    ['the tagger', 'annotators/tagger/tag-decoder.js', ['tagging']],
    ['training a lemmatizer', 'annotators/lemmatizer/task.js', ['tagging']],
    ['the tokenizer, which no job uses', 'annotators/tokenizer/task.js', []],
    ['saving models', 'src/model/model-writer.js', all],
    ['tables, which are only printed', 'src/report/tables/table.js', []],
    ['downloading files, which no job does', 'src/files/network/download.js', []],
  ])('changes only with code that the job can reach: %s', async (_, file, whose) => {
    expect(await changedBy(file)).toEqual(whose);
  });

  it('does not change with comments', async () => {
    expect(await changedBy('src/files/text-file.js', '// Changed.\n/** And\n * again. */')).toEqual([]);
  });

  it('changes with the version of a package that the code uses', async () => {
    rmSync(join(copy, 'node_modules'));
    mkdirSync(join(copy, 'node_modules'));
    for (const name of readdirSync(join(packageFolder, 'node_modules'))) {
      symlinkSync(join(packageFolder, 'node_modules', name), join(copy, 'node_modules', name));
    }
    expect(await codes()).toEqual(unchanged);
    rmSync(join(copy, 'node_modules/piscina'));
    mkdirSync(join(copy, 'node_modules/piscina'));
    const manifest = JSON.parse(
      readFileSync(join(packageFolder, 'node_modules/piscina/package.json'), 'utf8'),
    );
    writeFileSync(
      join(copy, 'node_modules/piscina/package.json'),
      JSON.stringify({ ...manifest, version: '0' }),
    );
    expect((await codes()).graph).not.toBe(unchanged.graph);
  });
});

describe('the code that is digested', async () => {
  const { programOf, choosers, entries } = (await import(programModule(packageFolder))) as Programs;
  const { reachableFrom } = (await import(join(dist, 'src/program-digest.js'))) as Code;
  const cache = await CellCache.open(sandbox.path('cache'));

  /** The files of this package that the process of a cell loads, in all its threads. */
  async function loadedBy(job: Job): Promise<string[]> {
    const name = jobName(job);
    await cache.writeJob(name, job);
    const coverage = sandbox.path(`coverage-${name}`);
    const cell = join(dist, 'experiment/cells/cell-process.js');
    const env = { ...process.env, NODE_V8_COVERAGE: coverage };
    await run(process.execPath, [cell, cache.folder, name, '2'], { env });
    expect(await cache.result(name)).toBeDefined();
    const urls = readdirSync(coverage).flatMap((file) => {
      const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8'));
      return result.map(({ url }: { url: string }) => url) as string[];
    });
    const own = urls
      .filter((url) => url.startsWith(pathToFileURL(dist).href))
      .map((url) => fileURLToPath(url));
    return [...new Set(own)].sort();
  }

  async function parserJob(paradigm: string, given: object = {}): Promise<ParserJob> {
    const path = join(packageFolder, 'data/sample', paradigm === 'pcfg' ? 'train.mrg' : 'train.conllu');
    const file = { path, digest: await fileDigest(path), encoding: 'utf-8' };
    const known = await allParadigms();
    const options = known.find(({ name }) => name === paradigm)!.options.parse(given) as ParserJob['options'];
    const work = { kind: 'parser' as const, paradigm };
    const parts = { train: { ...file, from: 0, to: 6 }, test: { ...file, from: 6, to: 8 } };
    return { ...work, program: programOf(work), options, seed: 1, ...parts };
  }

  it.each([
    ['graph', { bits: 12, epochs: 1, learner: 'bayes-point', members: 2 }, 'combine/bayes-point'],
    ['transition', { bits: 12, epochs: 1, beam: 2 }, 'parsers/transition/paradigm'],
    ['yamada-matsumoto', {}, 'src/threads/task-worker'],
    ['bigram', {}, 'parsers/bigram/paradigm'],
    ['pcfg', { splits: [] }, 'parsers/constituency/paradigm'],
  ])('includes every file that a cell loads: %s %j', async (paradigm, options, own) => {
    const job = await parserJob(paradigm, options);
    const loaded = await loadedBy(job);
    expect(loaded).toContain(join(dist, `${own}.js`));
    const digested = reachableFrom(entries(job), choosers);
    const choosing = ['experiment/cells/run-job.js', 'parsers/registry.js'].map((file) => join(dist, file));
    expect(digested).toEqual(expect.arrayContaining(choosing));
    expect(loaded.filter((file) => !digested.includes(file))).toEqual([]);
  });

  it.each([undefined, 2])('includes every file that a tagging loads: folds %s', async (folds) => {
    const { train, test } = await parserJob('bigram');
    const work = { kind: 'tagging' as const };
    const common = { ...work, program: programOf(work), seed: 1, learn: train };
    const job = folds === undefined ? { ...common, test } : { ...common, test: train, folds };
    const digested = reachableFrom(entries(job), choosers);
    const loaded = await loadedBy(job);
    expect(loaded).toContain(join(dist, 'annotators/tagger/task.js'));
    expect(loaded.filter((file) => !digested.includes(file))).toEqual([]);
  });

  it('includes every file that a vote loads', async () => {
    const members = [await parserJob('bigram')];
    for (const member of members) await loadedBy(member);
    const vote = { method: 'reparse-eisner', weights: 'equal' } as const;
    const job = voteJob(programOf({ kind: 'vote' }), vote, members);
    const digested = reachableFrom(entries(job), choosers);
    expect((await loadedBy(job)).filter((file) => !digested.includes(file))).toEqual([]);
  });
});
