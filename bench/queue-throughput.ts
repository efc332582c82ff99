/**
 * 10,000 cells of a fraction of a second each through a queue with 8 workers: `node dist/bench/queue-throughput.js
 * redis://host [CELLS] [MILLISECONDS] [SENTENCES]`. Prints the throughput, the ideal throughput without a queue, and the
 * peak memory of coordinator and Redis. Cells only wait and return a simulated result, so that the queue is measured.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { CellCache } from '../experiment/cells/cell-cache.ts';
import { type Job, jobName } from '../experiment/cells/job.ts';
import { isResult } from '../experiment/cells/job-result.ts';
import { programOf } from '../experiment/cells/program.ts';
import type { Plan } from '../experiment/definition/plan.ts';
import { QueueExecutor } from '../experiment/queue/queue-executor.ts';
import { queueServer } from '../experiment/queue/server.ts';
import { runWorker } from '../experiment/queue/worker.ts';
import { runPlan } from '../experiment/run/run-plan.ts';
import type { CellStart } from '../experiment/run/start-cell.ts';
import { fileDigest } from '../src/files/files.ts';

const WORKERS = 8;
/** Workers get a folder as the fifth argument. */
const [url, cellsText = '10000', millisecondsText = '300', sentencesText = '100', folder] =
  process.argv.slice(2);
const [cells, milliseconds, sentences] = [cellsText, millisecondsText, sentencesText].map(Number);

if (folder === undefined) await coordinate();
else await work(folder);

async function work(folder: string): Promise<void> {
  const signal = new AbortController().signal;
  process.on('disconnect', () => process.exit());
  const onReady = () => process.send?.('ready');
  const cache = await CellCache.open(folder);
  await runWorker({
    server: queueServer(url),
    cache,
    jobs: 1,
    memory: 1e12,
    signal,
    start: pretend,
    onReady,
  });
}

async function pretend({ cache, name }: CellStart): Promise<void> {
  await setTimeout(milliseconds);
  const counts = Array.from({ length: sentences }, (_, i) => i % 30);
  const scores = {
    tokens: 15 * sentences,
    excluded: 0,
    uas: 80,
    las: 70,
    laa: 75,
    rootAccuracy: 90,
    completeRate: 20,
    labelledCompleteRate: 10,
    warnings: [],
    sentences: { tokens: counts, uas: counts, las: counts },
  };
  writeFileSync(cache.treesFile(name), '');
  await cache.writeResult(name, {
    job: await cache.job(name),
    test: { sentences, tokens: 15 * sentences },
    seconds: 1,
    parseSeconds: 1,
    peakMemory: 1e8,
    notices: [],
    tags: {},
    scores: { include: scores, upos: scores, 'upos-sym': scores, ptb: scores, conllx: scores },
  });
}

async function jobs(treebank: string): Promise<Map<string, Job>> {
  const selection = { path: treebank, digest: await fileDigest(treebank), encoding: 'utf-8' };
  const program = programOf({ kind: 'parser', paradigm: 'graph' });
  const all = Array.from({ length: cells }, (_, seed): Job => {
    const parts = { train: { ...selection, from: 0, to: 900 }, test: { ...selection, from: 900, to: 1000 } };
    return { kind: 'parser', program, paradigm: 'graph', options: { run: Date.now() }, seed, ...parts };
  });
  return new Map(all.map((job) => [jobName(job), job]));
}

async function coordinate(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'parliament-bench-'));
  const redis = new Redis(url);
  const workers: ChildProcess[] = [];
  try {
    for (let i = 0; i < WORKERS; i++) {
      const sizes = [cells, milliseconds, sentences].map(String);
      workers.push(fork(process.argv[1], [url, ...sizes, join(home, `worker${i}`)]));
    }
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    const treebank = join(home, 'treebank.conllu');
    writeFileSync(treebank, 'nothing');
    await measure(await jobs(treebank), home, redis);
  } finally {
    for (const worker of workers) worker.kill();
    await redis.quit();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(all: Map<string, Job>, home: string, redis: Redis): Promise<void> {
  const most = { redis: 0, coordinator: 0 };
  const watch = setInterval(async () => {
    const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
    most.redis = Math.max(most.redis, used);
    most.coordinator = Math.max(most.coordinator, process.memoryUsage().rss);
  }, 500);
  const before = process.memoryUsage().rss;
  const executor = new QueueExecutor({ server: queueServer(url) });
  const cache = await CellCache.open(join(home, 'coordinator'));
  const plan = { jobs: all, experiment: { report: [] } } as unknown as Plan;
  const began = performance.now();
  const outcomes = await runPlan(plan, { executor, cache, signal: new AbortController().signal });
  clearInterval(watch);
  const seconds = (performance.now() - began) / 1000;
  const without = (cells * milliseconds) / 1000 / WORKERS;
  const done = [...outcomes.values()].filter(isResult).length;
  const overhead = (seconds * 1000 * WORKERS) / cells - milliseconds;
  console.log(
    `${done} of ${cells} cells of ${milliseconds} ms and ${sentences} sentences, ${WORKERS} workers: ${seconds.toFixed(1)} s`,
  );
  console.log(`without a queue: ${without.toFixed(1)} s; the queue adds ${overhead.toFixed(0)} ms per cell`);
  const share = 1000 / (1000 + overhead);
  console.log(`throughput at 1 s a cell: ${(100 * share).toFixed(1)} % of what the workers could do`);
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  console.log(
    `memory at most: coordinator ${megabytes(most.coordinator)} MB (before: ${megabytes(before)}), Redis ${megabytes(most.redis)} MB`,
  );
}
