import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import type { Plan } from '../../../experiment/definition/plan.ts';
import { jobName, taggingsFor, type VoteJob } from '../../../experiment/jobs/job.ts';
import { type CellResult, type Outcome, outcomeOf } from '../../../experiment/jobs/job-result.ts';
import { MemoryEstimate } from '../../../experiment/run/memory.ts';
import { type RunOptions, type RunProgress, runPlan } from '../../../experiment/run/run-plan.ts';
import type { CellStart } from '../../../experiment/run/start-cell.ts';
import { type ThisMachineOptions, thisMachine } from '../../../experiment/run/this-machine.ts';
import { job, plan, result } from '../../support/experiment-plan.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('run-plan');
const table = plan([
  { name: 'first', jobs: ['a', 'b'] },
  { name: 'second', jobs: ['b', 'c'] },
]);

/** Stands in for the process of a cell: notes the job’s name, and writes a made-up result. */
function worker(started: string[], fails: (name: string) => boolean = () => false) {
  return async ({ cache, name, onProgress }: CellStart) => {
    started.push(name);
    if (fails(name)) throw new Error('out of order');
    const one = await cache.job(name);
    onProgress(0.5);
    writeFileSync(cache.treesFile(name), '');
    await cache.writeResult(name, result(one, [one.kind === 'parser' ? one.seed : 0]));
  };
}

type Options = Omit<RunOptions, 'executor'> & ThisMachineOptions;

function runHere(plan: Plan, { atOnce, memory, start, ...options }: Options) {
  return runPlan(plan, { ...options, executor: thisMachine({ atOnce, memory, start }) });
}

const bounds = { atOnce: 2, memory: 1e12, signal: new AbortController().signal };

describe('the jobs of a plan', () => {
  it('are done once each, and not again while their results are intact', async () => {
    const cache = await CellCache.open(sandbox.path('once'));
    const started: string[] = [];
    const first = await runHere(table, { ...bounds, cache, start: worker(started) });
    expect(started).toHaveLength(3);
    expect([...first.keys()].sort()).toEqual(['a', 'b', 'c']);

    const again = await runHere(table, { ...bounds, cache, start: worker(started) });
    expect(started).toHaveLength(3);
    expect(again).toEqual(first);

    writeFileSync(cache.resultFile('b'), '{"job":');
    expect(await runHere(table, { ...bounds, cache, start: worker(started) })).toEqual(first);
    expect(started.slice(3)).toEqual(['b']);
  });

  it('fail without stopping the others, and are tried again in the next run', async () => {
    const cache = await CellCache.open(sandbox.path('failing'));
    const outcomes = await runHere(table, { ...bounds, cache, start: worker([], (name) => name === 'b') });
    expect(outcomes.get('b')).toEqual({ problem: 'out of order' });
    expect(outcomes.get('a')).toHaveProperty('scores');
    expect(outcomes.get('c')).toHaveProperty('scores');
    const started: string[] = [];
    await runHere(table, { ...bounds, cache, start: worker(started) });
    expect(started).toEqual(['b']);
  });

  it('fail if they leave no result', async () => {
    const cache = await CellCache.open(sandbox.path('nothing'));
    const outcomes = await runHere(table, { ...bounds, cache, start: async () => undefined });
    expect(outcomes.get('a')).toEqual({ problem: 'its process left no result' });
  });

  it('keep nothing in memory that grows with their sentences, whether run now or cached', async () => {
    const sizes: number[][] = [];
    for (const sentences of [10, 1000]) {
      const cache = await CellCache.open(sandbox.path(`of ${sentences} sentences`));
      const right = Array.from({ length: sentences }, () => 5);
      const evalb = { precision: 1, recall: 1, f1: 1, exactMatch: 1, taggingAccuracy: 1, warnings: [] };
      const phrases = { evalb: { ...evalb, sentences: { matched: right, brackets: right } } };
      const start = async ({ cache, name }: CellStart) => {
        writeFileSync(cache.treesFile(name), '');
        const whole = result(await cache.job(name), right);
        await cache.writeResult(name, {
          ...whole,
          phrases: { ...phrases, sets: phrases.evalb },
          test: { sentences: 1, tokens: 1 },
          scores: Object.fromEntries(
            Object.entries(whole.scores).map(([rule, scores]) => [rule, { ...scores, tokens: 1 }]),
          ) as CellResult['scores'],
        });
      };
      const [now, then] = [
        await runHere(table, { ...bounds, cache, start }),
        await runHere(table, { ...bounds, cache, start }),
      ];
      sizes.push([now, then].map((outcomes) => serialize(outcomes).byteLength));
    }
    expect(new Set(sizes.flat()).size).toBe(1);
  });

  it('are returned with the present paths of their files', async () => {
    const cache = await CellCache.open(sandbox.path('moved'));
    const planned = table.jobs.get('a')!;
    const before = { ...planned, test: { ...planned.test, path: '/where/it/was.conllu' } };
    writeFileSync(cache.treesFile('a'), '');
    await cache.writeResult('a', result(before, [1]));
    const outcomes = await runHere(table, { ...bounds, cache, start: worker([]) });
    expect(outcomes.get('a')).toMatchObject({ job: planned });
  });

  it('report their progress up to the end', async () => {
    const cache = await CellCache.open(sandbox.path('progress'));
    const shares: number[] = [];
    const finished: string[] = [];
    const onProgress = ({ done, total }: RunProgress) => shares.push(done / total);
    const onFinished = (name: string, _: Outcome, { finished: n, jobs }: RunProgress) =>
      finished.push(`${name} ${n}/${jobs}`);
    await runHere(table, { ...bounds, atOnce: 1, cache, onProgress, onFinished, start: worker([]) });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(finished).toEqual(['a 1/3', 'b 2/3', 'c 3/3']);
  });

  it('are stopped by the signal; what is done stays done', async () => {
    const cache = await CellCache.open(sandbox.path('stopped'));
    const controller = new AbortController();
    const start = async (cell: CellStart) => {
      await worker([])(cell);
      if (cell.name === 'b') controller.abort(new DOMException('enough', 'AbortError'));
    };
    const stopped = runHere(table, { ...bounds, atOnce: 1, signal: controller.signal, cache, start });
    await expect(stopped).rejects.toThrow('enough');
    const started: string[] = [];
    await runHere(table, { ...bounds, cache, start: worker(started) });
    expect(started).toEqual(['c']);
  });

  it('get the cores that no other job will use, but only one if times are reported', async () => {
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
      await runHere(one, { ...bounds, atOnce: 4, cache, start });
      return cores;
    };
    expect(await coresFor('uas', 'cores')).toEqual([2, 2]);
    expect(await coresFor('seconds', 'timed')).toEqual([1, 1]);
  });
});

describe('a vote', () => {
  const [members, twins] = [[1, 2].map((seed) => job(seed)), [3, 4].map((seed) => job(seed))];
  const vote: VoteJob = {
    ...{ kind: 'vote', program: members[0].program, test: members[0].test },
    vote: { method: 'superparser', weights: 'las' },
    members: members.map(jobName),
    setAside: { test: twins[0].test, members: twins.map(jobName) },
  };
  const jobs = new Map([vote, ...members, ...twins].map((each) => [jobName(each), each] as const));

  it('is held when all its members, and those for its weights, are done', async () => {
    const cache = await CellCache.open(sandbox.path('vote'));
    const started: string[] = [];
    await runHere({ ...table, jobs }, { ...bounds, atOnce: 8, cache, start: worker(started) });
    expect(started).toHaveLength(5);
    expect(started.at(-1)).toBe(jobName(vote));
  });

  it('fails if a member fails, with the member’s message', async () => {
    const cache = await CellCache.open(sandbox.path('member'));
    const started: string[] = [];
    const start = worker(started, (name) => name === jobName(twins[1]));
    const outcomes = await runHere({ ...table, jobs }, { ...bounds, cache, start });
    expect(outcomes.get(jobName(vote))).toEqual({ problem: 'a member failed: out of order' });
    expect(started).not.toContain(jobName(vote));
  });
});

describe('a tagging', () => {
  const tagging = taggingsFor(job(1, {}, { program: job(1).program, inTraining: false })).test!;
  const parsers = [1, 2].map((epochs) => job(1, { epochs }, { program: tagging.program, inTraining: false }));
  const jobs = new Map([...parsers, job(1, { epochs: 90 }), tagging].map((each) => [jobName(each), each]));

  it('is done once, before all jobs that need it and before longer jobs', async () => {
    const cache = await CellCache.open(sandbox.path('tagging'));
    const started: string[] = [];
    await runHere({ ...table, jobs }, { ...bounds, atOnce: 1, cache, start: worker(started) });
    expect(started).toHaveLength(4);
    expect(started[0]).toBe(jobName(tagging));
    const again: string[] = [];
    const more = job(1, { epochs: 3 }, parsers[0].tags);
    await runHere(
      { ...table, jobs: new Map([...jobs, [jobName(more), more]]) },
      { ...bounds, cache, start: worker(again) },
    );
    expect(again).toEqual([jobName(more)]);
  });

  it('makes only the jobs that need it fail with it, with its message', async () => {
    const cache = await CellCache.open(sandbox.path('failed tagging'));
    const start = worker([], (name) => name === jobName(tagging));
    const outcomes = await runHere({ ...table, jobs }, { ...bounds, cache, start });
    for (const parser of parsers) {
      expect(outcomes.get(jobName(parser))).toEqual({ problem: 'its tagging failed: out of order' });
    }
    expect(outcomes.get(jobName(job(1, { epochs: 90 })))).toHaveProperty('scores');
  });
});

describe('the jobs that take longest', () => {
  it('are begun first: epochs, members and the beam count', async () => {
    const cache = await CellCache.open(sandbox.path('longest'));
    const sizes = {
      small: { epochs: 2 },
      large: { epochs: 2, members: 10 },
      middle: { epochs: 5 },
      beam: { beam: 8 },
    };
    const jobs = new Map(Object.entries(sizes).map(([name, options]) => [name, job(1, options)]));
    const started: string[] = [];
    await runHere({ ...table, jobs }, { ...bounds, atOnce: 1, cache, start: worker(started) });
    expect(started).toEqual(['large', 'beam', 'middle', 'small']);
  });
});

describe('the memory that a cell will need', () => {
  it('is the most that cells with another seed have needed', () => {
    const estimate = new MemoryEstimate();
    const guess = estimate.of(job(1));
    expect(guess).toBeGreaterThan(256e6);
    estimate.learn({ ...result(job(1), [1]), peakMemory: 5e8 });
    estimate.learn({ ...result(job(2), [1]), peakMemory: 4e8 });
    expect(estimate.of(job(3))).toBe(5e8);
    expect(estimate.of(job(3, { bits: 24 }))).toBe(guess);
  });

  it('is taken from the next larger number of sentences, or else scaled up from the largest', () => {
    const of = (to: number) => ({ ...job(1), train: { ...job(1).train, to } });
    const estimate = new MemoryEstimate();
    for (const to of [50, 20]) estimate.learn({ ...result(of(to), [1]), peakMemory: to * 1e6 });
    expect([10, 20, 30, 50, 100].map((to) => estimate.of(of(to)) / 1e6)).toEqual([20, 20, 50, 50, 100]);
  });
});

describe('a cache', () => {
  it('returns no result that does not match the schema', async () => {
    const cache = await CellCache.open(sandbox.path('cache'));
    const one = job(1);
    const name = jobName(one);
    expect(await cache.result(name)).toBeUndefined();
    writeFileSync(cache.treesFile(name), '');
    await cache.writeResult(name, { ...result(one, [1]), seconds: 'x' } as unknown as CellResult);
    expect(await cache.result(name)).toBeUndefined();
    await cache.writeResult(name, result(one, [1]));
    expect(await cache.result(name)).toEqual(result(one, [1]));
  });

  it('returns no result whose trees are gone, as a vote would need them', async () => {
    const cache = await CellCache.open(sandbox.path('treeless'));
    writeFileSync(cache.treesFile('a'), '');
    await cache.writeResult('a', result(job(1), [1]));
    expect(await cache.result('a')).toEqual(result(job(1), [1]));
    rmSync(cache.treesFile('a'));
    expect(await cache.result('a')).toBeUndefined();
  });

  it('returns no result whose trees have changed, whether cut short or replaced', async () => {
    const cache = await CellCache.open(sandbox.path('exchanged'));
    writeFileSync(cache.treesFile('a'), 'trees');
    await cache.writeResult('a', result(job(1), [1]));
    for (const trees of ['tre', 'other trees']) {
      writeFileSync(cache.treesFile('a'), trees);
      expect(await cache.result('a')).toBeUndefined();
      await expect(cache.openTrees('a')).rejects.toThrow(
        `${cache.treesFile('a')}: changed or damaged since it was written`,
      );
    }
  });

  it('returns no result with a changed figure, nor the result of another job', async () => {
    const cache = await CellCache.open(sandbox.path('changed'));
    for (const name of ['a', 'b']) writeFileSync(cache.treesFile(name), '');
    await cache.writeResult('a', result(job(1), [1]));
    const record = readFileSync(cache.resultFile('a'), 'utf8');
    writeFileSync(cache.resultFile('b'), record);
    writeFileSync(cache.resultFile('a'), record.replace('"uas":10,', '"uas":100,'));
    expect(await cache.result('a')).toBeUndefined();
    expect(await cache.result('b')).toBeUndefined();
  });

  it('that cannot be created is refused, also in places where no folder can exist', async () => {
    await expect(CellCache.open('/dev/null/cache')).rejects.toThrow(
      '/dev/null/cache: cannot make this folder: ',
    );
    if (existsSync('/proc/self')) {
      await expect(CellCache.open('/proc/no/cache')).rejects.toThrow(
        /^\/proc\/no\/cache: cannot make this folder: /,
      );
    }
  });
});

describe('two runs with one cache', () => {
  it('do every job once, and have the same results', async () => {
    const cache = await CellCache.open(sandbox.path('two'));
    const started: string[] = [];
    const slow = async (cell: CellStart) => {
      await setTimeout(20);
      await worker(started)(cell);
    };
    const run = () => runHere(table, { ...bounds, atOnce: 1, cache, start: slow });
    const [first, second] = await Promise.all([run(), run()]);
    expect(started.sort()).toEqual(['a', 'b', 'c']);
    expect(new Map([...second].sort())).toEqual(new Map([...first].sort()));
  });

  it('report jobs that run elsewhere, go on with others, and wait for those at the end', async () => {
    const cache = await CellCache.open(sandbox.path('elsewhere'));
    const claim = cache.claim('a')!;
    const started: string[] = [];
    const elsewhere: number[] = [];
    const onProgress = (progress: RunProgress) => elsewhere.push(progress.elsewhere);
    const running = runHere(table, { ...bounds, atOnce: 1, cache, onProgress, start: worker(started) });
    await expect.poll(() => started).toEqual(['b', 'c']);
    expect(elsewhere.at(-1)).toBe(1);
    const one = result(table.jobs.get('a')!, [7]);
    writeFileSync(cache.treesFile('a'), '');
    await cache.writeResult('a', one);
    claim.release();
    expect((await running).get('a')).toEqual(outcomeOf(one, one.job));
    expect(started).toEqual(['b', 'c']);
    expect(elsewhere.at(-1)).toBe(0);
  });

  it('end at the signal also while they wait for another process', async () => {
    const cache = await CellCache.open(sandbox.path('waiting'));
    const claims = ['a', 'b', 'c'].map((name) => cache.claim(name)!);
    const signal = AbortSignal.timeout(50);
    await expect(runHere(table, { ...bounds, signal, cache, start: worker([]) })).rejects.toThrow();
    for (const claim of claims) claim.release();
  });
});
