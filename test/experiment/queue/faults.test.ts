import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { packageFolder } from '../../../src/platform/package.ts';
import { type Running, startCli, startScript } from '../../support/processes.ts';
import { needsRedis, RedisServer } from '../../support/redis.ts';
import { runCli } from '../../support/run-cli.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('queue-faults');
const env = { PARLIAMENT_HOME: sandbox.path('home') };
/** The timeout of a test in milliseconds; on an idle machine a test takes a few seconds. */
const TIME = 300_000;

/** The bundled table of learners, made quick to train, and without times, which differ between runs. */
const { columns, averages, ...learners } = JSON.parse(
  readFileSync(join(packageFolder, 'data', 'experiments', 'learners.json'), 'utf8'),
);
const table = sandbox.save(
  'learners.json',
  JSON.stringify({
    ...{ ...learners, $schema: undefined, report: ['uas', 'las', 'rootAccuracy', 'completeRate'] },
    defaults: {
      ...{ ...learners.defaults, treebank: 'sample', trainSentences: 40 },
      options: { bits: 12, epochs: 1 },
    },
    rows: learners.rows.map((row: { options: { members?: number } }) => ({
      ...{ ...row, seeds: [1] },
      options: { ...row.options, ...(row.options.members && { members: 2 }) },
    })),
  }),
);
const CELLS = learners.rows.length;

const modules = ['queue/worker', 'queue/server', 'cells/cell-cache'].map(
  (module) => pathToFileURL(join(packageFolder, 'dist', 'experiment', `${module}.js`)).href,
);

/** The program's worker, whose cells pass to others after four seconds without a sign of life, not a minute. */
const impatientWorker = sandbox.save(
  'worker.mjs',
  `
  const [{ runWorker }, { queueServer }, { CellCache }] = await Promise.all(
    ${JSON.stringify(modules)}.map((module) => import(module)));
  const [url, folder] = process.argv.slice(2);
  await runWorker({
    server: queueServer(url), cache: await CellCache.open(folder), jobs: 1, memory: 1e12, patience: 4000,
    signal: new AbortController().signal,
    onBegin: () => console.error('begun'), onDone: () => console.error('done'),
  });`,
);

needsRedis.describe('an experiment with a queue', () => {
  let redis: RedisServer;
  let alone = '';
  let folders = 0;
  const workers: Running[] = [];
  beforeAll(async () => {
    redis = await RedisServer.start();
    const args = ['experiment', table, '--cache', sandbox.path('alone'), '--jobs', '2', '--quiet'];
    alone = runCli(args, { env }).stdout;
    expect(alone).toContain('Bayes Point Machine');
  }, TIME);
  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.process.kill('SIGKILL');
      await worker.ended();
    }
    const client = redis.client();
    await client.flushall();
    client.disconnect();
  });
  afterAll(() => redis.remove());

  /** Starts `parliament worker` with an empty cache of its own. */
  function work(): Running {
    const cache = sandbox.path(`worker${folders++}`);
    workers.push(startCli(['worker', '--queue', redis.url, '--jobs', '1', '--cache', cache], env));
    return workers.at(-1)!;
  }

  function workImpatiently(): Running {
    workers.push(startScript(impatientWorker, [redis.url, sandbox.path(`worker${folders++}`)]));
    return workers.at(-1)!;
  }

  const experiment = (cache: string) =>
    startCli(['experiment', table, '--queue', redis.url, '--cache', sandbox.path(cache)], env);

  it(
    'makes with two workers, byte for byte, the same table as on one machine',
    async () => {
      const two = [work(), work()];
      const running = experiment('by two');
      expect(await running.ended()).toBe(0);
      expect(running.stdout()).toBe(alone);
      expect(two[0].times('begun') + two[1].times('begun')).toBe(CELLS);
    },
    TIME,
  );

  it(
    'gives cells of killed or frozen workers to another; a late result does no harm',
    async () => {
      const [killed, frozen] = [workImpatiently(), workImpatiently()];
      const running = experiment('with faults');
      await Promise.all([killed.said('begun'), frozen.said('begun')]);
      killed.process.kill('SIGKILL');
      frozen.process.kill('SIGSTOP');
      const healthy = workImpatiently();
      expect(await running.ended()).toBe(0);
      expect(running.stdout()).toBe(alone);
      expect(healthy.times('begun')).toBe(CELLS - killed.times('done') - frozen.times('done'));
      const before = frozen.times('done');
      frozen.process.kill('SIGCONT');
      await frozen.said('done', before + 1);
      const afterwards = experiment('after faults');
      expect(await afterwards.ended()).toBe(0);
      expect(afterwards.stdout()).toBe(alone);
    },
    TIME,
  );

  it(
    'goes on when Redis is killed and restarted; after it is killed itself, the same command goes on',
    async () => {
      const worker = workImpatiently();
      const first = experiment('again');
      await worker.said('done');
      await redis.kill('SIGKILL');
      await setTimeout(1500);
      await redis.start();
      await worker.said('done', 3);
      first.process.kill('SIGKILL');
      await first.ended();
      const second = experiment('again');
      expect(await second.ended()).toBe(0);
      expect(second.stdout()).toBe(alone);
      // A cell begun before Redis was killed is finished, and repeated at most once.
      expect(worker.times('begun')).toBeLessThanOrEqual(CELLS + 1);
      for (const { stderr } of [worker, first]) expect(stderr()).not.toMatch(/ECONNREFUSED|Error:/);
      expect(first.stderr()).toMatch(/is away: waiting for it.*is back/s);
    },
    TIME,
  );

  it(
    'ends at Ctrl-C with a partial table; the same command later collects what workers have done',
    async () => {
      const worker = work();
      const stopped = experiment('stopped');
      await worker.said('done', 2);
      stopped.process.kill('SIGINT');
      expect(await stopped.ended()).toBe(130);
      expect(stopped.stderr()).toContain('workers continue with the cells in the queue');
      await worker.said('done', CELLS);
      const again = experiment('stopped');
      expect(await again.ended()).toBe(0);
      expect(again.stdout()).toBe(alone);
      expect(worker.times('begun')).toBe(CELLS);
    },
    TIME,
  );

  it(
    'gets a cell back at once from a worker that Ctrl-C ends, not only after a timeout',
    async () => {
      const worker = work();
      const running = experiment('given back');
      await worker.said('begun');
      worker.process.kill('SIGINT');
      expect(await worker.ended()).toBe(130);
      const { stdout } = runCli(['experiment', '--status', '--json', '--queue', redis.url], { env });
      expect(JSON.parse(stdout)).toMatchObject({ waiting: CELLS, active: 0, workers: [] });
      running.process.kill('SIGKILL');
      await running.ended();
    },
    TIME,
  );
});
