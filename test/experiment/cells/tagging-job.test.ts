import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { tagger } from '../../../annotators/tagger/task.ts';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { runJob } from '../../../experiment/cells/run-job.ts';
import {
  type Job,
  jobName,
  type ParserJob,
  type Selection,
  type TaggingJob,
  taggingsFor,
} from '../../../experiment/jobs/job.ts';
import { type CellResult, jobResultSchema } from '../../../experiment/jobs/job-result.ts';
import { programOf } from '../../../experiment/jobs/program.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { collect } from '../../support/collect.ts';
import { learnTaggersQuickly } from '../../support/quick-tagger.ts';
import { samplePath, sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

learnTaggersQuickly();

const sandbox = new Sandbox('tagging-job');
const cache = await CellCache.open(sandbox.path('cache'));

async function selection(path: string, from: number, to: number): Promise<Selection> {
  return { path, digest: await fileDigest(path), encoding: 'utf-8', from, to };
}

/** Runs a job unless it is done already. */
async function run(job: Job) {
  const name = jobName(job);
  const done = await cache.result(name);
  if (done !== undefined) return done;
  await cache.writeJob(name, job);
  return runJob(name, { cache, cores: 1 });
}

const columnsOf = async (job: Job) =>
  (await collect(await cache.openTrees(jobName(job)))).map(({ upos, xpos, feats, lemmas }) => ({
    ...{ upos, xpos, feats, lemmas },
  }));

const program = programOf({ kind: 'tagging' });
const learn = await selection(samplePath('train'), 0, 14);
const test = await selection(samplePath('dev'), 0, 12);
const job: TaggingJob = { kind: 'tagging', program, seed: 1, learn, test };
const folded: TaggingJob = { ...job, test: learn, folds: 2 };

/** The dev sentences with wrong tags, features and lemmas. */
const wrong = sandbox.save(
  'wrong.conllu',
  sampleText('dev').replace(
    /^(\d+\t[^\t]+\t)[^\t]+\t[^\t]+\t[^\t]+\t[^\t]+/gm,
    '$1wrong\tX\tWRONG\tFalse=Yes',
  ),
);

describe('a tagging', () => {
  it('saves the sentences with predicted tags and their own trees, and reports the accuracy', async () => {
    const result = await run(job);
    expect(jobResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    expect(result.test.sentences).toBe(12);
    const gold = (await collect(await openTreebank(samplePath('dev')))).slice(0, 12);
    const found = await collect(await cache.openTrees(jobName(job)));
    expect(found.map(({ heads }) => [...heads])).toEqual(gold.map(({ heads }) => [...heads]));
    const tags = gold.flatMap(({ upos }, i) => upos.slice(1).map((tag, d) => tag === found[i].upos[d + 1]));
    expect(result.tags.upos).toBeCloseTo((100 * tags.filter(Boolean).length) / tags.length, 9);
    expect(result.tags.upos).toBeGreaterThan(50);
    expect(result.tags.upos).toBeLessThan(100);
  });

  it('does not see gold tags or lemmas of the sentences to tag: wrong ones give the same result', async () => {
    await run(job);
    const other = { ...job, test: await selection(wrong, 0, 12) };
    const { tags } = await run(other);
    expect(tags).toMatchObject({ upos: 0, xpos: 0, lemmas: 0 });
    // Nor does it keep the lemmas of the file if it has not learnt any.
    expect(await columnsOf(other)).toEqual(await columnsOf(job));
    expect((await columnsOf(other)).flatMap(({ lemmas }) => lemmas)).not.toContain('wrong');
  });

  it('in folds reuses the folds that are done', async () => {
    const first = await run(folded);
    expect(first.tags.upos).toBeLessThan(100);
    const columns = await columnsOf(folded);
    expect(readdirSync(join(cache.folder, 'folds'))).toHaveLength(2);
    rmSync(cache.resultFile(jobName(folded)));
    rmSync(cache.treesFile(jobName(folded)));
    vi.mocked(tagger.train).mockClear();
    const { tags } = await run(folded);
    expect(tagger.train).not.toHaveBeenCalled();
    expect(tags).toEqual(first.tags);
    expect(await columnsOf(folded)).toEqual(columns);
  });
});

describe('a parser’s job with predicted tags', () => {
  const parserJob: ParserJob = {
    ...{ kind: 'parser', paradigm: 'graph', program: programOf({ kind: 'parser', paradigm: 'graph' }) },
    ...{ options: graphOptions.parse({ bits: 12, epochs: 1 }), seed: 1, train: learn, test },
    tags: { program, inTraining: true, folds: 2 },
  };

  it('uses the tags of its taggings in training and parsing, and reports their accuracy', async () => {
    const taggings = taggingsFor(parserJob);
    expect(taggings).toEqual({ train: folded, test: job });
    const [, atTest] = [await run(folded), await run(job)];
    const result = (await run(parserJob)) as CellResult;
    expect(result.tags).toEqual(atTest.tags);
    expect(await columnsOf(parserJob)).toEqual(await columnsOf(job));
    const gold = (await run({ ...parserJob, tags: undefined })) as CellResult;
    expect(gold.tags).toMatchObject({ upos: 100, xpos: 100 });
    expect(gold.scores.include.uas).not.toBe(result.scores.include.uas);
  });

  it('never sees gold tags of the sentences to parse: wrong ones give the same trees', async () => {
    const other = { ...parserJob, test: await selection(wrong, 0, 12) };
    for (const tagging of [folded, job, taggingsFor(other).test!]) await run(tagging);
    const [own, ofWrong] = [await run(parserJob), await run(other)] as CellResult[];
    const heads = async (one: Job) =>
      (await collect(await cache.openTrees(jobName(one)))).map((tree) => [...tree.heads]);
    expect(await heads(other)).toEqual(await heads(parserJob));
    expect(ofWrong.scores.include).toEqual(own.scores.include);
  });

  it('saves its trees with the tags that it saw, for votes to use, also for a three-column file', async () => {
    const sentences = await collect(await openTreebank(samplePath('dev')));
    const text = sentences.map((sentence) => formatSentence(sentence, 'three-column')).join('');
    const threeColumns = await selection(sandbox.save('dev.dp', text), 0, 12);
    const other = { ...parserJob, test: threeColumns, tags: { program, inTraining: false } };
    const tagging = taggingsFor(other).test!;
    const { tags } = await run(tagging);
    expect(Object.keys(tags)).toEqual(['xpos']);
    await run(other);
    const xpos = async (one: Job) => (await columnsOf(one)).map((columns) => columns.xpos);
    expect(await xpos(other)).toEqual(await xpos(tagging));
    expect(await xpos(other)).toEqual(await xpos(job));
  });

  it('is refused if one of its taggings has been damaged', async () => {
    await run(folded);
    await run(job);
    rmSync(cache.treesFile(jobName(job)));
    const anew = { ...parserJob, options: graphOptions.parse({ bits: 13, epochs: 1 }) };
    await expect(run(anew)).rejects.toThrow('changed or damaged since it was written');
  });
});
