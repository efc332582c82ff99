import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { runJob } from '../../../experiment/cells/run-job.ts';
import { voteJob, weightLearningJobs } from '../../../experiment/definition/vote-plan.ts';
import {
  type FileJob,
  type Job,
  jobName,
  type ParserJob,
  type Selection,
  type Vote,
  type VoteJob,
} from '../../../experiment/jobs/job.ts';
import type { CellResult } from '../../../experiment/jobs/job-result.ts';
import { programOf } from '../../../experiment/jobs/program.ts';
import { pcfgOptions } from '../../../parsers/constituency/options.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { registerLeftNeighbour } from '../../support/left-neighbour.ts';
import { samplePath } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('vote-job');
const cache = await CellCache.open(sandbox.path('cache'));

async function selection(part: 'train' | 'dev', to: number): Promise<Selection> {
  const path = samplePath(part);
  return { path, digest: await fileDigest(path), encoding: 'utf-8', from: 0, to };
}

const parserJob = (paradigm: string, options: ParserJob['options']): ParserJob => ({
  ...common,
  program: programOf({ kind: 'parser', paradigm }),
  ...{ paradigm, options },
});
const common = {
  kind: 'parser' as const,
  seed: 1,
  train: await selection('train', 40),
  test: await selection('dev', 30),
};
await registerLeftNeighbour();
const weak = parserJob('left-neighbour', { epochs: 1 });
const [any, projective] = ['chu-liu-edmonds', 'eisner'].map((decoder) =>
  parserJob('graph', graphOptions.parse({ bits: 12, epochs: 1, decoder })),
);

async function run(job: Job) {
  const name = jobName(job);
  await cache.writeJob(name, job);
  return (await runJob(name, { cache, cores: 1 })) as CellResult;
}

/** Runs a job unless it is done already. */
const done = async (job: Job) => ((await cache.result(jobName(job))) as CellResult | undefined) ?? run(job);

async function headsOf(job: Job): Promise<number[][]> {
  const heads: number[][] = [];
  for await (const sentence of await openTreebank(cache.treesFile(jobName(job))))
    heads.push([...sentence.heads]);
  return heads;
}

/** Runs the members and their twins, and then the vote. */
async function hold(vote: Vote, members: readonly ParserJob[]): Promise<VoteJob> {
  const twins = vote.weights === 'equal' ? undefined : weightLearningJobs(members, 0.1);
  for (const job of [...members, ...(twins ?? [])]) await done(job);
  const job = voteJob(programOf({ kind: 'vote' }), vote, members, twins);
  await run(job);
  return job;
}

describe('the job of a vote', () => {
  it('gives the trees of a member that votes alone', async () => {
    const vote = await hold({ method: 'superparser', weights: 'uas' }, [any]);
    expect(await headsOf(vote)).toEqual(await headsOf(any));
  });

  it('weighs members by what their twins score on the sentences set aside', async () => {
    const weighed = await hold({ method: 'superparser', weights: 'uas' }, [weak, any]);
    expect(await headsOf(weighed)).toEqual(await headsOf(any));
    const equal = await hold({ method: 'superparser', weights: 'equal' }, [weak, any]);
    expect(await headsOf(equal)).not.toEqual(await headsOf(any));
    const turned = await hold({ method: 'superparser', weights: 'equal' }, [any, weak]);
    expect(await headsOf(turned)).toEqual(await headsOf(equal));
  });

  it('can be an oracle: no member has a better score', async () => {
    const members = [weak, any, projective];
    const { scores } = await run(await hold({ method: 'oracle', weights: 'equal' }, members));
    for (const member of members) {
      const own = (await done(member)).scores;
      expect(scores.include.uas!).toBeGreaterThanOrEqual(own.include.uas!);
      expect(scores.include.las!).toBeGreaterThanOrEqual(own.include.las!);
    }
  });

  it('can be on constituents, and is refused if a member has none', async () => {
    const path = samplePath('train').replace('.conllu', '.mrg');
    const file = { path, digest: await fileDigest(path), encoding: 'utf-8' };
    const parts = { train: { ...file, from: 0, to: 80 }, test: { ...file, from: 80, to: 100 } };
    const members = [1, 2, 3].map((vertical) => {
      const options = pcfgOptions.parse({ splits: [], vertical, horizontal: '1' }) as ParserJob['options'];
      return { ...parserJob('pcfg', options), ...parts };
    });
    const vote = { method: 'constituents', weights: 'equal' } as const;
    const figures = async (job: Job) => (await done(job)).phrases!.evalb;
    expect(await figures(await hold(vote, members.slice(0, 1)))).toEqual(await figures(members[0]));
    const [voted, ...alone] = await Promise.all(
      [hold(vote, members), ...members].map(async (job) => figures(await job)),
    );
    expect(voted.f1).toBeGreaterThan(Math.min(...alone.map(({ f1 }) => f1!)));
    await expect(hold(vote, [any])).rejects.toThrow('a vote on constituents needs phrases');
  });

  it('on constituents has the tags of its first member', async () => {
    const path = samplePath('dev').replace('.conllu', '.mrg');
    const other = sandbox.save('other.mrg', readFileSync(path, 'utf8').replaceAll('(NN ', '(NNP '));
    const ofFile = async (path: string) => {
      return { path, digest: await fileDigest(path), encoding: 'utf-8', from: 0, to: 10 };
    };
    const member: FileJob = {
      ...{ kind: 'file', program: programOf({ kind: 'file' }) },
      ...{ test: await ofFile(path), trees: await ofFile(other) },
    };
    const { tags } = await run(member);
    expect(tags.xpos).toBeLessThan(100);
    const vote = { method: 'constituents', weights: 'equal' } as const;
    expect((await run(voteJob(programOf({ kind: 'vote' }), vote, [member]))).tags).toEqual(tags);
  });

  it('takes the time of its members and its own', async () => {
    const { seconds, parseSeconds } = await run(
      await hold({ method: 'reparse-cle', weights: 'equal' }, [any, weak]),
    );
    const members = await Promise.all([any, weak].map((job) => cache.result(jobName(job))));
    const sumOf = (time: 'seconds' | 'parseSeconds') =>
      members.reduce((sum, result) => sum + result![time], 0);
    expect(seconds).toBeGreaterThan(sumOf('seconds'));
    expect(parseSeconds).toBeGreaterThan(sumOf('parseSeconds'));
  });

  it('gives the same trees when it runs again', async () => {
    const job = await hold({ method: 'reparse-eisner', weights: 'learnt' }, [weak, any, projective]);
    const first = await headsOf(job);
    await run(job);
    expect(await headsOf(job)).toEqual(first);
  });
});
