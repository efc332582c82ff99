import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { runJob } from '../../../experiment/cells/run-job.ts';
import { type FileJob, jobName, type Selection } from '../../../experiment/jobs/job.ts';
import type { CellResult } from '../../../experiment/jobs/job-result.ts';
import { programOf } from '../../../experiment/jobs/program.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { samplePath } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('file-job');
const cache = await CellCache.open(sandbox.path('cache'));

async function selection(path: string, to = 64): Promise<Selection> {
  return { path, digest: await fileDigest(path), encoding: 'utf-8', from: 0, to };
}

/** The result for a copy of the gold file in which every line is changed like this. */
async function scored(change: (line: string) => string, maxTokens?: number) {
  const lines = readFileSync(samplePath('dev'), 'utf8').split('\n');
  const path = sandbox.save('other.conllu', lines.map(change).join('\n'));
  const limit = maxTokens === undefined ? {} : { maxTokens };
  const job: FileJob = {
    ...{ kind: 'file', program: programOf({ kind: 'file' }) },
    test: { ...(await selection(samplePath('dev'))), ...limit },
    trees: { ...(await selection(path)), ...limit },
  };
  await cache.writeJob(jobName(job), job);
  return (await runJob(jobName(job), { cache, cores: 1 })) as CellResult;
}

describe('a job for another program’s file', () => {
  it('scores its trees, and its tags', async () => {
    const right = await scored((line) => line);
    expect(right.scores.include).toMatchObject({ uas: 100, las: 100 });
    const other = await scored((line) => line.replace(/\tsbj\t/, '\tother\t').replace(/\tNOUN\t/, '\tX\t'));
    expect(other.scores.include.uas).toBe(100);
    expect(other.scores.include.las).toBeLessThan(100);
    expect(other.tags.upos).toBeLessThan(100);
  });

  it('reads from both files the sentences up to the maximum length', async () => {
    const { test, scores } = await scored((line) => line, 15);
    expect(test.sentences).toBeLessThan(64);
    expect(scores.include.uas).toBe(100);
  });

  it('refuses a file with different words, and names both places', async () => {
    await expect(scored((line) => line.replace(/^2\t[^\t]*/, '2\tother'))).rejects.toThrow(
      /^\S*dev\.conllu:\d+: token 2 is “.*”, but \S*other\.conllu:\d+ has “other”$/,
    );
  });
});
