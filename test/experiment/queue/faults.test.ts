import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { packageFolder } from '../../../src/files/package-folder.ts';
import { startCli } from '../../support/queue-processes.ts';
import { needsRedis, RedisServer } from '../../support/redis.ts';
import { runCli } from '../../support/run-cli.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('queue-faults');
const env = { PARLIAMENT_HOME: sandbox.path('home') };

/** The bundled table of learners but for its times, which no two runs have in common, learnt in no time. */
const learners = JSON.parse(
  readFileSync(join(packageFolder, 'data', 'experiments', 'learners.json'), 'utf8'),
);
const table = sandbox.save(
  'learners.json',
  JSON.stringify({
    ...learners,
    report: ['uas', 'las', 'rootAccuracy', 'completeRate'],
    defaults: {
      ...{ ...learners.defaults, treebank: 'sample', trainSentences: 40 },
      options: { bits: 12, epochs: 1 },
    },
    rows: learners.rows.map((row: { options: { members?: number } }) => ({
      ...row,
      options: { ...row.options, ...(row.options.members && { members: 2 }) },
    })),
  }),
);

const modules = ['queue/worker', 'queue/server', 'run/cell-cache'].map(
  (module) => pathToFileURL(join(packageFolder, 'dist', 'experiment', `${module}.js`)).href,
);

/** The program's worker, but that another takes over after some seconds, and not after a minute. */
const workerScript = `
  const [{ runWorker }, { queueServer }, { CellCache }] = await Promise.all(
    ${JSON.stringify(modules)}.map((module) => import(module)));
  const [url, folder] = process.argv.slice(1);
  await runWorker({
    server: queueServer(url), cache: await CellCache.open(folder), jobs: 1, memory: 1e12, patience: 4000,
    signal: new AbortController().signal,
    onReady: () => console.log('ready'), onBegin: () => console.log('begun'), onDone: () => console.log('done'),
  });`;

needsRedis.describe('faults of machines', () => {
  let redis: RedisServer;
  let folders = 0;
  const workers = new Set<ChildProcess>();
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterEach(async () => {
    for (const worker of workers) {
      const exit = worker.signalCode === null ? once(worker, 'exit') : undefined;
      worker.kill('SIGKILL');
      await exit;
    }
    workers.clear();
    const client = redis.client();
    await client.flushall();
    client.disconnect();
  });
  afterAll(() => redis.remove());

  /** A worker with a cache of its own; `said` ends when it has said a word so often. */
  async function work() {
    const args = [redis.url, sandbox.path(`worker${folders++}`)];
    const child = spawn(process.execPath, ['--input-type=module', '--eval', workerScript, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    workers.add(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const times = (word: string) => output.split(word).length - 1;
    const said = async (word: string, often = 1) => {
      while (times(word) < often) await once(child.stdout, 'data');
    };
    await said('ready');
    return { child, times, said };
  }

  const experiment = (cache: string) =>
    startCli(['experiment', table, '--queue', redis.url, '--cache', sandbox.path(cache)], env);

  const alone = () =>
    runCli(['experiment', table, '--cache', sandbox.path('alone'), '--quiet'], { env }).stdout;

  it('two workers with caches of their own make, byte for byte, the table of one machine', async () => {
    const two = [await work(), await work()];
    const running = experiment('by two');
    expect(await running.ended()).toBe(0);
    expect(running.stdout()).toBe(alone());
    expect(two[0].times('begun') + two[1].times('begun')).toBe(4);
  }, 300_000);

  it('a worker that is killed, or frozen: its cell is done by another, and its late result does no harm', async () => {
    const [killed, frozen] = [await work(), await work()];
    const running = experiment('with faults');
    await Promise.all([killed.said('begun'), frozen.said('begun')]);
    killed.child.kill('SIGKILL');
    frozen.child.kill('SIGSTOP');
    const healthy = await work();
    await healthy.said('done', 2);
    frozen.child.kill('SIGCONT');
    expect(await running.ended()).toBe(0);
    expect(running.stdout()).toBe(alone());
  }, 300_000);

  it('Redis that is restarted, and a coordinator that is killed: the same command goes on', async () => {
    const worker = await work();
    const first = experiment('again');
    await worker.said('done');
    await redis.kill('SIGKILL');
    await redis.start();
    await worker.said('done', 2);
    first.process.kill('SIGKILL');
    await first.ended();
    const second = experiment('again');
    expect(await second.ended()).toBe(0);
    expect(second.stdout()).toBe(alone());
    expect(second.stderr()).not.toContain('ECONNREFUSED');
  }, 300_000);

  it('Ctrl-C says what becomes of the rest, and ends with its status', async () => {
    const running = experiment('stopped');
    await running.said(/no worker of this version/);
    running.process.kill('SIGINT');
    expect(await running.ended()).toBe(130);
    expect(running.stderr()).toContain(
      'stopped; what is done is kept, workers go on with what is in the queue',
    );
  }, 120_000);
});

needsRedis.describe('a queue with a password', () => {
  it('is entered by address or environment, and the password is never said', async () => {
    const redis = await RedisServer.start('--requirepass', 'open sesame');
    const status = (url: string, more = {}) =>
      runCli(['experiment', '--status', '--queue', url], { env: { ...env, ...more } });
    try {
      const without = status(redis.url);
      expect(without.status).toBe(2);
      expect(without.stderr).toMatch(
        /^parliament: error: redis:\/\/127\.0\.0\.1:\d+: cannot be reached: NOAUTH/,
      );
      expect(status(redis.url, { PARLIAMENT_QUEUE_PASSWORD: 'open sesame' }).status).toBe(0);
      const inside = (password: string) => redis.url.replace('//', `//:${password}@`);
      expect(status(inside('open%20sesame')).status).toBe(0);
      const wrong = status(inside('guessed'));
      expect(wrong.status).toBe(2);
      expect(wrong.stderr).toContain('WRONGPASS');
      expect(wrong.stderr).not.toContain('guessed');
    } finally {
      await redis.remove();
    }
  }, 120_000);
});
