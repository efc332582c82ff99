import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { type Job, jobName } from '../../../experiment/jobs/job.ts';
import { isResult, jobResultSchema } from '../../../experiment/jobs/job-result.ts';
import { programOf } from '../../../experiment/jobs/program.ts';
import { keys, queueName } from '../../../experiment/queue/protocol.ts';
import { queueExecutor } from '../../../experiment/queue/queue-executor.ts';
import { queueStatus } from '../../../experiment/queue/registry.ts';
import { thisRelease } from '../../../experiment/queue/release.ts';
import { bullOptions, checkServer, queueServer } from '../../../experiment/queue/server.ts';
import { runWorker, type WorkerOptions } from '../../../experiment/queue/worker.ts';
import { type RunOptions, runPlan } from '../../../experiment/run/run-plan.ts';
import type { CellStart } from '../../../experiment/run/start-cell.ts';
import { InputError } from '../../../src/errors.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { job as parserJob, plan, result } from '../../support/experiment-plan.ts';
import { needsRedis, RedisServer } from '../../support/redis.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('queue');
const treebank = sandbox.save('small treebank.conllu', 'data');
let stop = new AbortController();
const ending: Promise<unknown>[] = [];

/** Jobs that train nothing, with these names in their options. */
async function jobs(...names: string[]): Promise<Map<string, Job>> {
  const digest = await fileDigest(treebank);
  const program = programOf({ kind: 'parser', paradigm: 'graph' });
  const all = names.map((name, i) => {
    const { train, test, ...rest } = parserJob(i, { name });
    const place = { path: treebank, digest };
    return { ...rest, program, train: { ...train, ...place }, test: { ...test, ...place } };
  });
  return new Map(all.map((job) => [jobName(job), job]));
}

needsRedis.describe('the queue', () => {
  let redis: RedisServer;
  let folders = 0;
  const notices: string[] = [];
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterEach(async () => {
    stop.abort(new DOMException('the test is done', 'AbortError'));
    await Promise.allSettled(ending);
    stop = new AbortController();
  });
  afterAll(() => redis.remove());

  const newCache = () => CellCache.open(sandbox.path(`cache${folders++}`));

  /** Starts a worker with a cache of its own; `begun` lists the names of the cells that it has begun. */
  async function work(
    cell: (name: string) => Promise<void> | void,
    options: Partial<WorkerOptions> = {},
  ): Promise<{ begun: string[]; stop: () => Promise<void> }> {
    const begun: string[] = [];
    const own = new AbortController();
    const start = async ({ cache, name, onProgress }: CellStart) => {
      const job = await cache.job(name);
      const option = String('options' in job ? job.options.name : '');
      begun.push(option);
      onProgress(0.5);
      await cell(option);
      writeFileSync(cache.treesFile(name), '');
      await cache.writeResult(name, result(job, ['seed' in job ? job.seed : 0]));
    };
    const signal = AbortSignal.any([stop.signal, own.signal]);
    const cache = await newCache();
    const common = { server: queueServer(redis.url), cache, jobs: 2, memory: 1e12, patience: 1500 };
    let ready = () => undefined as undefined;
    const readiness = new Promise<void>((resolve) => {
      ready = () => void resolve();
    });
    const running = runWorker({ ...common, signal, start, onReady: ready, ...options }).catch(
      () => undefined,
    );
    ending.push(running);
    await readiness;
    return {
      begun,
      stop: async () => {
        own.abort(new DOMException('stopped', 'AbortError'));
        await running;
      },
    };
  }

  async function coordinate(
    all: Map<string, Job>,
    { store, ...options }: Partial<RunOptions> & { store?: string } = {},
  ) {
    const executor = queueExecutor({
      server: queueServer(redis.url),
      store,
      onNotice: (notice) => notices.push(notice),
    });
    const table = { ...plan([{ name: 'row', jobs: [...all.keys()] }]), jobs: all };
    return runPlan(table, { executor, cache: await newCache(), signal: stop.signal, ...options });
  }

  it('gives each cell to one worker, and returns results with the paths of the request', async () => {
    const all = await jobs('a', 'b', 'c', 'd', 'e');
    const workers = [await work(() => setTimeout(50)), await work(() => setTimeout(50))];
    const outcomes = await coordinate(all);
    expect(workers.flatMap(({ begun }) => begun).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const [name, job] of all) expect(outcomes.get(name)).toMatchObject({ job, scores: {} });
  });

  it('lists a worker from its start, before its next heartbeat, until it stops', async () => {
    const worker = await work(() => undefined);
    await vi.waitFor(async () => {
      expect((await queueStatus(queueServer(redis.url))).workers).toHaveLength(1);
    }, 2500);
    await worker.stop();
    expect((await queueStatus(queueServer(redis.url))).workers).toEqual([]);
  });

  it('computes cells that two runs request at the same time only once, and gives them to both', async () => {
    const all = await jobs('two 1', 'two 2', 'two 3');
    const worker = await work(() => setTimeout(100));
    const both = await Promise.all([coordinate(all), coordinate(all)]);
    expect(worker.begun.sort()).toEqual(['two 1', 'two 2', 'two 3']);
    for (const outcomes of both) expect([...outcomes.values()].every(isResult)).toBe(true);
  });

  it('can transfer data through a shared folder', async () => {
    const store = sandbox.path('store');
    await work(() => undefined, { store });
    const outcomes = await coordinate(await jobs('by folder'), { store });
    expect([...outcomes.values()].every(isResult)).toBe(true);
  });

  it('sends damaged data in the shared folder again: treebanks, results and their trees', async () => {
    const store = sandbox.path('damaged');
    const all = await jobs('damaged');
    const first = await work(() => undefined, { store });
    await coordinate(all, { store });
    await first.stop();
    const files = readdirSync(store).map((file) => join(store, file));
    for (const file of files) writeFileSync(file, 'no gzip');
    const problems: string[] = [];
    await work(() => undefined, { store, onFailed: (problem) => problems.push(problem) });
    expect([...(await coordinate(all, { store })).values()].every(isResult)).toBe(true);
    expect(problems).toEqual([
      expect.stringMatching(/small treebank\.conllu: data [0-9a-f]{12}… in the store/),
    ]);
    for (const file of files) expect(readFileSync(file, 'latin1')).not.toBe('no gzip');
  }, 20_000);

  it('tries a failing cell three times, reports the reason, and tries it again in the next run', async () => {
    const all = await jobs('bad', 'good');
    let isBroken = true;
    const worker = await work((name) => {
      if (name === 'bad' && isBroken) throw new Error('out of order');
    });
    const outcomes = await coordinate(all);
    expect(outcomes.get([...all.keys()][0])).toEqual({ problem: 'out of order' });
    expect([...outcomes.values()].filter(isResult)).toHaveLength(1);
    expect(worker.begun.filter((name) => name === 'bad')).toHaveLength(3);
    isBroken = false;
    expect([...(await coordinate(all)).values()].every(isResult)).toBe(true);
  }, 20_000);

  it('goes on after the requesting run is stopped; the next run finds the results', async () => {
    const all = await jobs('left 1', 'left 2');
    const controller = new AbortController();
    const asked = coordinate(all, { signal: controller.signal });
    const worker = await work(async (name) => {
      if (name === 'left 1') controller.abort(new Error('enough'));
    });
    await expect(asked).rejects.toThrow('enough');
    expect([...(await coordinate(all)).values()].every(isResult)).toBe(true);
    expect(worker.begun.sort()).toEqual(['left 1', 'left 2']);
  });

  it('gives the cells of a stopped worker to another', async () => {
    const slow = await work(() => setTimeout(3000));
    const asked = coordinate(await jobs('given back'));
    while (slow.begun.length === 0) await setTimeout(20);
    const other = await work(() => undefined);
    await slow.stop();
    expect([...(await asked).values()].every(isResult)).toBe(true);
    expect(other.begun.length + slow.begun.length).toBeLessThanOrEqual(2);
  }, 20_000);

  it('waits while Redis is away, and goes on when it is back', async () => {
    const all = await jobs('r1', 'r2', 'r3', 'r4');
    const worker = await work(() => setTimeout(300));
    const asked = coordinate(all);
    while (worker.begun.length === 0) await setTimeout(20);
    await redis.kill('SIGKILL');
    await setTimeout(1000);
    await redis.start();
    expect([...(await asked).values()].every(isResult)).toBe(true);
    expect(notices).toContain(`${redis.url} is away: waiting for it`);
  }, 30_000);

  it('recovers if Redis loses all its data', async () => {
    const all = await jobs('l1', 'l2');
    const asked = coordinate(all);
    const client = redis.client();
    while ((await client.exists(`parliament:${queueName(thisRelease())}:${[...all.keys()][1]}`)) === 0) {
      await setTimeout(20);
    }
    await client.flushall();
    client.disconnect();
    await work(() => undefined);
    expect([...(await asked).values()].every(isResult)).toBe(true);
  }, 60_000);

  it('reports that Redis is full, still takes results, and goes on when there is room', async () => {
    const all = await jobs('room 1', 'room 2');
    const [done] = all.keys();
    const worker = await work(() => undefined);
    await coordinate(new Map([[done, all.get(done)!]]));
    await worker.stop();
    const client = redis.client();
    await client.config('SET', 'maxmemory', '1');
    const finished: string[] = [];
    const asked = coordinate(all, { onFinished: (name) => finished.push(name) });
    const full = `${redis.url} accepts no data now: waiting (OOM command not allowed when used memory > 'maxmemory')`;
    await vi.waitFor(
      () => expect([finished, notices]).toEqual([[done], expect.arrayContaining([full])]),
      10_000,
    );
    await client.config('SET', 'maxmemory', '0');
    client.disconnect();
    await work(() => undefined);
    expect([...(await asked).values()].every(isResult)).toBe(true);
    expect(notices).toContain(`${redis.url} accepts data again`);
  }, 30_000);

  it('leaves a result in Redis if the cache cannot store it, for example on a full disk', async () => {
    const all = await jobs('kept');
    await work(() => undefined);
    const cache = await newCache();
    rmSync(join(cache.folder, 'results'), { recursive: true });
    writeFileSync(join(cache.folder, 'results'), 'no folder');
    await expect(coordinate(all, { cache })).rejects.toThrow(
      /: cannot be written: part of the path is not a folder$/,
    );
    const client = redis.client();
    expect(await client.exists(keys.result([...all.keys()][0]!))).toBe(1);
    client.disconnect();
  });

  it('stops completely if a treebank is missing: nothing goes on in the background', async () => {
    const gone = sandbox.path('gone.conllu');
    const [[, job]] = await jobs('nowhere');
    const lost = { ...job, test: { ...job.test, path: gone, digest: 'ef'.repeat(32) } } as Job;
    const signal = new AbortController().signal;
    let looks = 0;
    Object.defineProperty(signal, 'aborted', { get: () => ++looks < 0 });
    await expect(coordinate(new Map([[jobName(lost), lost]]), { signal })).rejects.toThrow(
      new InputError('cannot be read: no such file or folder', { file: gone }),
    );
    const before = looks;
    await setTimeout(1500);
    expect(looks).toBe(before);
  });

  it('loses no cell to a worker whose disk is full; the worker ends with the reason', async () => {
    const cache = await newCache();
    const common = { server: queueServer(redis.url), jobs: 1, memory: 1e12, signal: stop.signal };
    const start = async () => {
      rmSync(cache.folder, { recursive: true });
      writeFileSync(cache.folder, 'no folder');
      throw new Error('no space left');
    };
    const full = runWorker({ ...common, cache, start });
    full.catch(() => undefined);
    const asked = coordinate(await jobs('given up'));
    await expect(full).rejects.toThrow(/: cannot be written: part of the path is not a folder$/);
    const other = await work(() => undefined);
    expect([...(await asked).values()].every(isResult)).toBe(true);
    expect(other.begun).toEqual(['given up']);
  }, 20_000);

  it('refuses at once a user without permission for its keys', async () => {
    const client = redis.client();
    await client.call('ACL', 'SETUSER', 'stranger', 'on', '>x', '~other:*', '&*', '+@all');
    const server = queueServer(redis.url.replace('//', '//stranger:x@'), {});
    const refusal = /cannot be reached: NOPERM this user has no permissions to access one of the keys/;
    await expect(checkServer(server)).rejects.toThrow(refusal);
    await client.call('ACL', 'DELUSER', 'stranger');
    client.disconnect();
  });

  it('warns if the clocks of two machines differ', async () => {
    const server = queueServer(redis.url);
    expect(await checkServer(server)).toEqual([]);
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 3_600_000);
    const [notice] = await checkServer(server);
    clock.mockRestore();
    expect(notice).toMatch(
      /the clock here is 3(599|600|601) s ahead of its own: cells that are tried again may wait/,
    );
  });

  it('reports that no worker of its version is running, and which versions are', async () => {
    const client = redis.client();
    const other = {
      ...{ host: 'elsewhere', process: 1, version: '9.9.9', code: 'abcdef0123456789' },
      ...{ jobs: 1, memory: 1e9, running: 0, done: 0, failed: 0, since: 0 },
    };
    await client.sadd(keys.workers, 'other');
    await client.set(keys.worker('other'), JSON.stringify(other), 'EX', 60);
    const controller = new AbortController();
    const asked = coordinate(await jobs('unwanted'), { signal: controller.signal });
    const pattern = /no worker of this version, .* is there yet; workers of 9\.9\.9 \(abcdef01\)/;
    while (!notices.some((notice) => pattern.test(notice))) await setTimeout(50);
    controller.abort(new Error('seen'));
    await expect(asked).rejects.toThrow('seen');
    const { waiting, workers } = await queueStatus(queueServer(redis.url));
    expect(waiting).toBe(1);
    expect(workers.map(({ host }) => host)).toEqual(['elsewhere']);
    await client.flushall();
    client.disconnect();
  }, 30_000);

  it('fails only those jobs that are malformed, of another version, or do not match their names', async () => {
    const [[name, job]] = await jobs('hostile');
    const foreign = { ...job, program: { version: '0.0.1', code: '0'.repeat(64) } } as Job;
    const evil: Record<string, unknown> = {
      nothing: null,
      code: { job: { kind: 'shell', command: 'touch /tmp/x' } },
      [name]: { job: { ...job, seed: 77 } },
      [jobName(foreign)]: { job: foreign },
    };
    const client = redis.client();
    const queue = new Queue(queueName(thisRelease()), bullOptions(client));
    for (const [jobId, data] of Object.entries(evil)) await queue.add('x', data, { jobId });
    const worker = await work(() => undefined);
    while ((await queue.getFailedCount()) < 4) await setTimeout(20);
    expect(worker.begun).toEqual([]);
    const reasons = (await queue.getFailed()).map(({ failedReason }) => failedReason).sort();
    expect(reasons).toEqual([
      'its name belongs to another job',
      'not a job of this version',
      'not a job of this version',
      expect.stringMatching(
        /^planned by another version of the program \(0\.0\.1, 00000000\) than this one \(/,
      ),
    ]);
    await client.flushall();
    await queue.disconnect();
    client.disconnect();
  }, 20_000);

  it('does not accept a forged result, and computes the job again', async () => {
    const all = await jobs('forged');
    const [name] = all.keys();
    const client = redis.client();
    const pointer = { record: 'a'.repeat(64), trees: 'b'.repeat(64) };
    await client.set(keys.result(name), JSON.stringify(pointer));
    await client.set(keys.data(pointer.record), JSON.stringify({ upload: crypto.randomUUID(), chunks: 0 }));
    client.disconnect();
    await work(() => undefined);
    expect([...(await coordinate(all)).values()].every(isResult)).toBe(true);
  }, 20_000);

  it('computes jobs again that are marked as done but have no data: a vote after its members', async () => {
    const all = await jobs('voter 1', 'voter 2');
    const [[, { test }]] = all;
    const program = programOf({ kind: 'vote' });
    const method = { method: 'reparse-cle', weights: 'equal' } as const;
    const vote: Job = { kind: 'vote', program, test, vote: method, members: [...all.keys()] };
    all.set(jobName(vote), vote);
    const client = redis.client();
    const pointer = JSON.stringify({ record: 'c'.repeat(64), trees: 'd'.repeat(64) });
    await client.set(keys.result(jobName(vote)), pointer);
    const worker = await work(() => undefined);
    expect([...(await coordinate(all)).values()].every(isResult)).toBe(true);
    expect(worker.begun).toHaveLength(3);
    await client.set(keys.result([...all.keys()][0]), pointer);
    expect([...(await coordinate(all)).values()].every(isResult)).toBe(true);
    client.disconnect();
  }, 20_000);

  it('goes on if keys for results, data or workers hold values of the wrong type', async () => {
    const all = await jobs('typed');
    const [[name, job]] = all;
    const client = redis.client();
    await client.flushall();
    for (const key of [keys.result(name), keys.data(job.test.digest)]) await client.lpush(key, 'x');
    await client.set(keys.workers, 'x');
    await work(() => undefined);
    expect([...(await coordinate(all)).values()].every(isResult)).toBe(true);
    expect((await queueStatus(queueServer(redis.url))).workers).toEqual([]);
    await client.set(`parliament:${queueName(thisRelease())}:wait`, 'x');
    const refused = `${redis.url}: refuses: WRONGTYPE Operation against a key holding the wrong kind of value`;
    await expect(queueStatus(queueServer(redis.url))).rejects.toThrow(refused);
    await client.flushall();
    client.disconnect();
  }, 20_000);

  it('does not list a worker whose record is invalid', async () => {
    const record = {
      ...{ host: 'h', process: 1, version: '1', code: 'c', jobs: 1, memory: 1e9 },
      ...{ running: 0, done: 0, failed: 0, since: 1 },
    };
    const client = redis.client();
    await client.flushall();
    const others = [{}, { since: 1e300 }, { memory: 1e300 }, { jobs: -1 }, { host: 'h'.repeat(1000) }];
    for (const [i, other] of others.entries()) {
      await client.sadd(keys.workers, String(i));
      await client.set(keys.worker(String(i)), JSON.stringify({ ...record, ...other }));
    }
    expect((await queueStatus(queueServer(redis.url))).workers).toEqual([record]);
    await client.flushall();
    client.disconnect();
  });
});

it.each([
  ['seconds', { seconds: 1e308 }],
  ['memory', { peakMemory: 1e308 }],
  ['accuracy', { tags: { upos: 1e308 } }],
])('a result with an impossible figure is rejected: %s', async (_, figures) => {
  const [job] = (await jobs('any')).values();
  expect(jobResultSchema.safeParse(result(job, [1])).success).toBe(true);
  expect(jobResultSchema.safeParse({ ...result(job, [1]), ...figures }).success).toBe(false);
});
