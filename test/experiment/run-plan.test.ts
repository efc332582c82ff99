import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CellCache } from '../../experiment/cell-cache.ts';
import { type Job, jobName } from '../../experiment/job.ts';
import { MemoryEstimate } from '../../experiment/memory-estimate.ts';
import { type Outcome, type RunProgress, runPlan } from '../../experiment/run-plan.ts';
import type { CellStart } from '../../experiment/start-cell.ts';
import { job, plan, result } from '../support/experiment-plan.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('run-plan');
const table = plan([
  { name: 'first', jobs: ['a', 'b'] },
  { name: 'second', jobs: ['b', 'c'] },
]);

/** Does a job in this process: notes its file, and writes the result that it should have. */
function worker(started: string[], fails: (file: string) => boolean = () => false) {
  return async ({ jobFile, resultFile, onProgress }: CellStart) => {
    started.push(jobFile);
    if (fails(jobFile)) throw new Error('out of order');
    const one: Job = JSON.parse(readFileSync(jobFile, 'utf8'));
    onProgress(0.5);
    writeFileSync(resultFile, JSON.stringify(result(one, [one.seed])));
  };
}

const bounds = { atOnce: 2, memory: 1e12, signal: new AbortController().signal };

describe('the jobs of a plan', () => {
  it('are done once each, and never again while their results are there and whole', async () => {
    const cache = await CellCache.open(sandbox.path('once'));
    const started: string[] = [];
    const first = await runPlan(table, { ...bounds, cache, start: worker(started) });
    expect(started).toHaveLength(3);
    expect([...first.keys()].sort()).toEqual(['a', 'b', 'c']);

    const again = await runPlan(table, { ...bounds, cache, start: worker(started) });
    expect(started).toHaveLength(3);
    expect(again).toEqual(first);

    writeFileSync(cache.resultFile('b'), '{"job":');
    expect(await runPlan(table, { ...bounds, cache, start: worker(started) })).toEqual(first);
    expect(started.slice(3)).toEqual([cache.jobFile('b')]);
  });

  it('fail alone, with their message, and are tried again the next time', async () => {
    const cache = await CellCache.open(sandbox.path('failing'));
    const fails = (file: string) => file.endsWith(`${join('jobs', 'b.json')}`);
    const outcomes = await runPlan(table, { ...bounds, cache, start: worker([], fails) });
    expect(outcomes.get('b')).toEqual({ problem: 'out of order' });
    expect(outcomes.get('a')).toHaveProperty('scores');
    expect(outcomes.get('c')).toHaveProperty('scores');
    const started: string[] = [];
    await runPlan(table, { ...bounds, cache, start: worker(started) });
    expect(started).toEqual([cache.jobFile('b')]);
  });

  it('fail where no result is left', async () => {
    const cache = await CellCache.open(sandbox.path('nothing'));
    const outcomes = await runPlan(table, { ...bounds, cache, start: async () => undefined });
    expect(outcomes.get('a')).toEqual({ problem: 'its process left no result' });
  });

  it('tell of their progress up to the end', async () => {
    const cache = await CellCache.open(sandbox.path('progress'));
    const shares: number[] = [];
    const finished: string[] = [];
    const onProgress = ({ done, total }: RunProgress) => shares.push(done / total);
    const onFinished = (name: string, _: Outcome, { finished: n, jobs }: RunProgress) =>
      finished.push(`${name} ${n}/${jobs}`);
    await runPlan(table, { ...bounds, atOnce: 1, cache, onProgress, onFinished, start: worker([]) });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(finished).toEqual(['a 1/3', 'b 2/3', 'c 3/3']);
  });

  it('are stopped by the signal; what is done stays done', async () => {
    const cache = await CellCache.open(sandbox.path('stopped'));
    const controller = new AbortController();
    const start = async (cell: CellStart) => {
      await worker([])(cell);
      if (cell.jobFile === cache.jobFile('b')) controller.abort(new DOMException('enough', 'AbortError'));
    };
    const stopped = runPlan(table, { ...bounds, atOnce: 1, signal: controller.signal, cache, start });
    await expect(stopped).rejects.toThrow('enough');
    const started: string[] = [];
    await runPlan(table, { ...bounds, cache, start: worker(started) });
    expect(started).toEqual([cache.jobFile('c')]);
  });

  it('get the cores that no other job will use, but one where times are reported', async () => {
    const coresFor = async (report: 'uas' | 'seconds', folder: string) => {
      const cores: number[] = [];
      const bothStarted = new EventEmitter();
      const start = async (cell: CellStart) => {
        if (cores.push(cell.cores) === 2) bothStarted.emit('both');
        else await once(bothStarted, 'both');
        await worker([])(cell);
      };
      const cache = await CellCache.open(sandbox.path(folder));
      const one = plan([{ name: 'row', jobs: ['a', 'b'] }], { report: [report] });
      await runPlan(one, { ...bounds, atOnce: 4, cache, start });
      return cores;
    };
    expect(await coresFor('uas', 'cores')).toEqual([2, 2]);
    expect(await coresFor('seconds', 'timed')).toEqual([1, 1]);
  });
});

describe('the jobs that take longest', () => {
  it('are begun first: epochs and members count', async () => {
    const cache = await CellCache.open(sandbox.path('longest'));
    const sizes = { small: { epochs: 2 }, large: { epochs: 2, members: 10 }, middle: { epochs: 5 } };
    const jobs = new Map(Object.entries(sizes).map(([name, options]) => [name, job(1, options)]));
    const started: string[] = [];
    await runPlan({ ...table, jobs }, { ...bounds, atOnce: 1, cache, start: worker(started) });
    expect(started.map((file) => basename(file, '.json'))).toEqual(['large', 'middle', 'small']);
  });
});

describe('the memory that a cell will need', () => {
  it('is the most that cells which differ in their seed have needed', () => {
    const estimate = new MemoryEstimate();
    const guess = estimate.of(job(1));
    expect(guess).toBeGreaterThan(256e6);
    estimate.learn({ ...result(job(1), [1]), peakMemory: 5e8 });
    estimate.learn({ ...result(job(2), [1]), peakMemory: 4e8 });
    expect(estimate.of(job(3))).toBe(5e8);
    expect(estimate.of(job(3, { bits: 24 }))).toBe(guess);
  });
});

describe('a cache', () => {
  it('gives back no result of another form', async () => {
    const cache = await CellCache.open(sandbox.path('cache'));
    const one = job(1);
    expect(await cache.result(jobName(one))).toBeUndefined();
    writeFileSync(cache.resultFile(jobName(one)), JSON.stringify({ ...result(one, [1]), seconds: 'x' }));
    expect(await cache.result(jobName(one))).toBeUndefined();
    writeFileSync(cache.resultFile(jobName(one)), JSON.stringify(result(one, [1])));
    expect(await cache.result(jobName(one))).toEqual(result(one, [1]));
  });
});
