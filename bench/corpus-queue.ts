/**
 * Stress test of a corpus in a queue: `node dist/bench/corpus-queue.js MODEL SHARDS MILLISECONDS [MINUTES [SEED]]`. Eight
 * workers wait MILLISECONDS per shard instead of parsing. For MINUTES, the coordinator, a worker or Redis (with or without
 * its data) is killed every 20 seconds. Checks the output, and prints the workers' utilisation, the peak memory of the
 * coordinator and Redis, and what is left in the output folder and in Redis.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { CorpusFolder } from '../corpus/folder.ts';
import { runShardWorker } from '../corpus/queue/shard-worker-process.ts';
import { mergeShards } from '../corpus/status.ts';
import { queueServer } from '../experiment/queue/server.ts';
import { attempt } from '../src/files/files.ts';
import { Random } from '../src/learn/random.ts';
import { packageFolder } from '../src/platform/package.ts';

const [WORKERS, KILL_EVERY] = [8, 20_000];
const [model = '', ...numbers] = process.argv.slice(2);
const [shards = 0, wait = 0, minutes = 0, seed = 1, given] = numbers.map(Number);
const port = given ?? 10_000 + (process.pid % 20_000);
const url = `redis://127.0.0.1:${port}`;

/** The main function of a worker process: writes each shard in capitals after a while. */
async function work(folder: string): Promise<void> {
  process.on('disconnect', () => process.exit());
  const run = async ({ bytes }: { readonly bytes: Buffer }) => {
    await setTimeout(wait);
    const text = Buffer.from(bytes).toString().toUpperCase();
    const figures = { sentences: 1, words: 1, skipped: 0, withoutTree: 0, warnings: [] };
    return { ...figures, bytes: Buffer.from(text) };
  };
  const open = () => ({ run, end: async () => undefined });
  const { signal } = new AbortController();
  await runShardWorker({ server: queueServer(url), folder, jobs: 1, signal, open });
}

const home = given === undefined ? mkdtempSync(join(tmpdir(), 'parliament-bench-')) : '';
const [input, out, data] = [join(home, 'text'), join(home, 'out'), join(home, 'data')];
const running: Record<string, ChildProcess> = {};
const killed: Record<string, number> = { coordinator: 0, worker: 0, redis: 0, emptyRedis: 0 };
const most: Record<string, number> = { coordinator: 0, redis: 0 };
let isOver = false;

function start(name: string): void {
  const main = join(packageFolder, 'dist', 'cli', 'main.js');
  const program = [main, 'corpus', input, '-o', out, '--model', model];
  const options = ['--queue', url, '--shard-size', '1kB', '--no-gzip', '--quiet'];
  const flags = ['--port', `${port}`, '--dir', data, '--appendonly', 'yes', '--save', ''];
  if (name === 'redis') running[name] = spawn('redis-server', flags, { stdio: 'ignore' });
  else if (name === 'coordinator')
    running[name] = spawn(process.execPath, [...program, ...options], { stdio: 'inherit' });
  else {
    const numbers = [shards, wait, minutes, seed, port].map(String);
    running[name] = fork(process.argv[1]!, [join(home, name), ...numbers]);
  }
}

/** Starts coordinators, a new one after each that is killed, until one has done everything. */
async function coordinate(): Promise<void> {
  for (let code: number | null = null; code === null; ) {
    start('coordinator');
    [code] = await once(running.coordinator!, 'exit');
  }
  isOver = true;
}

/** Kills a process at random from time to time, and starts it again. */
async function killSome(): Promise<void> {
  const random = new Random(seed);
  for (const end = Date.now() + 60_000 * minutes; Date.now() + KILL_EVERY <= end; ) {
    await setTimeout(KILL_EVERY);
    if (isOver) return;
    const kind = Object.keys(killed)[random.below(4)]!;
    killed[kind]!++;
    const name = kind === 'worker' ? `worker${random.below(WORKERS)}` : kind.replace('emptyR', 'r');
    const child = running[name]!;
    // A worker that finds no server when it starts has ended by itself.
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    if (kind === 'emptyRedis') rmSync(join(data, 'appendonlydir'), { recursive: true });
    if (name !== 'coordinator') start(name);
  }
}

/** Measures peak memory. */
async function watch(): Promise<void> {
  for (; !isOver; await setTimeout(500)) {
    for (const name of Object.keys(most)) {
      const status = attempt(() => readFileSync(`/proc/${running[name]!.pid}/status`, 'utf8')) ?? '';
      most[name] = Math.max(most[name]!, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
    }
  }
}

async function report(text: string): Promise<void> {
  await mergeShards(out, join(home, 'merged'));
  const isSame = readFileSync(join(home, 'merged'), 'utf8') === text.toUpperCase();
  const times = [...CorpusFolder.open(out).records()].map((one) => one.ended).sort((a, b) => a - b);
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' });
  const beside = files.filter((one) => !/^shards.\d+\.conllu$/.test(one));
  // Shards may end in rounds of one per worker: the first and last times then span one round less.
  const seconds = (times.at(-1)! - times[2 * WORKERS]!) / 1000;
  const ideal = ((times.length - 3 * WORKERS) * wait) / 1000 / WORKERS;
  console.log(`killed with seed ${seed}: ${JSON.stringify(killed)}; MB at most: ${JSON.stringify(most)}`);
  const what = isSame ? 'as expected' : 'WRONG';
  console.log(`output ${what}; ${times.length} records; beside: ${beside.join(' ')}`);
  console.log(`${seconds} s, ideal ${ideal} s (${((100 * ideal) / seconds).toFixed(1)} %)`);
  const client = new Redis(url);
  const left = new Map<string, number>();
  for (const key of await client.keys('*'))
    left.set(key.replaceAll(/[0-9a-f-]{16,}|(?<=:)\d+$/g, '…'), await client.ttl(key));
  console.log('left in Redis, for seconds:', left);
  client.disconnect();
}

if (given !== undefined) await work(model);
try {
  // Paragraphs of 1,000 bytes are shards.
  const text = Array.from({ length: shards }, (_, i) => `${`${i}`.padEnd(998, ' dolor')}\n\n`).join('');
  writeFileSync(input, text);
  mkdirSync(data);
  for (const name of ['redis', ...Array.from({ length: WORKERS }, (_, i) => `worker${i}`)]) start(name);
  // Until their code is loaded.
  await setTimeout(5000);
  await Promise.all([coordinate(), killSome(), watch()]);
  await report(text);
} finally {
  for (const child of Object.values(running)) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
}
