import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CellCache } from '../../experiment/cells/cell-cache.ts';
import { queueServer } from '../../experiment/queue/server.ts';
import { runWorker } from '../../experiment/queue/worker.ts';
import type { CellStart } from '../../experiment/run/start-cell.ts';
import { runExperiment } from '../../experiment/run-experiment.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { result } from '../support/experiment-plan.ts';
import { needsRedis, RedisServer } from '../support/redis.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('run-experiment');
const experiment = sandbox.save(
  'seeds.json',
  JSON.stringify({
    title: 'Seeds',
    description: 'Two of each.',
    report: ['uas'],
    defaults: {
      ...{ treebank: { train: samplePath('train'), dev: samplePath('dev') }, trainSentences: 20 },
      seeds: [1, 2],
    },
    baseline: 'graph',
    rows: [
      { name: 'graph', paradigm: 'graph' },
      { name: 'bigram', paradigm: 'bigram' },
    ],
  }),
);

/** The number of right heads out of ten in each of eight sentences, by parser and seed. */
const right: Record<string, number[]> = { graph: [4, 6], bigram: [8, 9] };

/** Stands in for a training. */
async function pretend({ cache, name }: CellStart): Promise<void> {
  const job = await cache.job(name);
  if (job.kind !== 'parser') throw new Error('not asked for');
  writeFileSync(cache.treesFile(name), '');
  const heads = right[job.paradigm]![job.seed - 1]!;
  await cache.writeResult(name, result(job, Array(8).fill(heads)));
}

it('fails with the error of a progress callback that throws', async () => {
  // The compiled module is needed because cells run as separate processes.
  const file = pathToFileURL(join(packageFolder, 'dist', 'experiment', 'run-experiment.js')).href;
  const run = ((await import(file)) as { readonly runExperiment: typeof runExperiment }).runExperiment;
  const fault = new Error('of the caller');
  const onProgress = () => {
    throw fault;
  };
  await expect(run(experiment, { cache: sandbox.path('thrown'), onProgress })).rejects.toBe(fault);
});

needsRedis.describe('a table computed by the workers of a queue', () => {
  const stop = new AbortController();
  const [cache, store] = [sandbox.path('cache'), sandbox.path('store')];
  let redis: RedisServer;
  let working: Promise<void>;
  beforeAll(async () => {
    redis = await RedisServer.start();
    working = runWorker({
      ...{ server: queueServer(redis.url), store, cache: await CellCache.open(sandbox.path('worker')) },
      ...{ jobs: 2, memory: 1e12, signal: stop.signal, start: pretend },
    });
    working.catch(() => undefined);
  });
  afterAll(async () => {
    stop.abort(new DOMException('the tests are done', 'AbortError'));
    await Promise.allSettled([working]);
    await redis.remove();
  });

  it('has the workers’ results, which then suffice for the same table without a queue', async () => {
    const jobs: number[] = [];
    const table = await runExperiment(experiment, {
      ...{ cache, queue: { url: redis.url, store } },
      onProgress: (progress) => jobs.push(progress.jobs),
    });
    expect(jobs.at(-1)).toBe(4);
    const uas = table.cells.map(([cell]) => cell!.figures.uas!);
    expect(uas.map(({ runs }) => runs)).toEqual([
      [40, 60],
      [80, 90],
    ]);
    expect(uas[1]!.p).toBeLessThan(0.05);
    expect(await runExperiment(experiment, { cache })).toEqual(table);
  });

  it('comes with notices about the queue’s server', async () => {
    const other = await RedisServer.start('--maxmemory-policy', 'allkeys-lru');
    const controller = new AbortController();
    const notices: string[] = [];
    const onNotice = (notice: string) => notices.push(notice);
    const asked = runExperiment(experiment, {
      ...{ cache: sandbox.path('empty'), queue: { url: other.url, onNotice }, signal: controller.signal },
    });
    asked.catch(() => undefined);
    await vi.waitFor(() => expect(notices).not.toEqual([]), 10_000);
    controller.abort(new Error('seen'));
    await expect(asked).rejects.toThrow('seen');
    expect(notices).toEqual([
      `${other.url}: its maxmemory-policy is allkeys-lru, not noeviction: it may drop jobs`,
    ]);
    await other.remove();
  });

  it('is refused if the queue cannot be reached', async () => {
    const gone = await RedisServer.start();
    await gone.remove();
    const asked = runExperiment(experiment, { cache: sandbox.path('none'), queue: { url: gone.url } });
    await expect(asked).rejects.toThrow(/^redis:.*: cannot be reached: /);
  });
});
