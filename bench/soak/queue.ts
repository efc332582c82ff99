/**
 * Runs a table of 200 cells through a queue while a worker is killed every 5 seconds, Redis restarted twice, and the
 * coordinator killed twice: `node dist/bench/soak/queue.js [CELLS]`. The table must equal that of a single machine. Prints
 * the numbers of faults, and of cells started and finished.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { packageFolder } from '../../src/platform/package.ts';

const cells = Number(process.argv[2] ?? 200);
const WORKERS = 3;
const KILL_EVERY = 5000;
const PORT = 7793;
const url = `redis://127.0.0.1:${PORT}`;
const home = mkdtempSync(join(tmpdir(), 'parliament-soak-'));
const tableFile = join(home, 'table.json');
const program = join(packageFolder, 'dist', 'cli', 'main.js');
const children = new Set<ChildProcess>();
let isOver = false;

function start(log: string, command: string, ...args: readonly string[]): ChildProcess {
  const output = openSync(join(home, `${log}.out`), 'w');
  const errors = openSync(join(home, `${log}.err`), 'a');
  const child = spawn(command, args, { stdio: ['ignore', output, errors] });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  // A worker started while Redis is away ends by itself.
  if (!children.has(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

const parliament = (log: string, command: string, ...args: readonly string[]) =>
  start(log, process.execPath, program, command, ...args, '--cache', join(home, log));
const redis = () =>
  start('redis', 'redis-server', '--port', String(PORT), '--dir', home, '--appendonly', 'yes', '--save', '');
const worker = (i: number) => parliament(`worker${i}`, 'worker', '--queue', url, '--jobs', '1');
const coordinator = () => parliament('coordinator', 'experiment', tableFile, '--queue', url);

function writeTable(): void {
  const seeds = Array.from({ length: cells / 4 }, (_, i) => i + 1);
  const rows = [1, 2, 3, 4].map((epochs) => ({ name: `${epochs}`, seeds, options: { bits: 10, epochs } }));
  const table = {
    title: 'Soak',
    description: 'Many small cells.',
    report: ['uas', 'las'],
    baseline: '1',
    defaults: { treebank: 'sample', trainSentences: 20 },
    rows,
  };
  writeFileSync(tableFile, JSON.stringify(table));
}

async function killWorkers(workers: ChildProcess[]): Promise<number> {
  let killed = 0;
  for (let i = 0; !isOver; i = (i + 1) % WORKERS) {
    await setTimeout(KILL_EVERY);
    if (isOver) break;
    await kill(workers[i]);
    killed++;
    workers[i] = worker(i);
  }
  return killed;
}

function countLines(pattern: RegExp): number {
  const logs = Array.from({ length: WORKERS }, (_, i) => readFileSync(join(home, `worker${i}.err`), 'utf8'));
  return logs.join('').match(pattern)?.length ?? 0;
}

async function until(done: number): Promise<void> {
  while (countLines(/^done /gm) < done) await setTimeout(200);
}

async function soak(): Promise<void> {
  let server = redis();
  await setTimeout(500);
  const workers = Array.from({ length: WORKERS }, (_, i) => worker(i));
  let asking = coordinator();
  const began = performance.now();
  const killing = killWorkers(workers);
  for (const share of [0.2, 0.6]) {
    await until(share * cells);
    await kill(server);
    await setTimeout(2000);
    server = redis();
    await until((share + 0.2) * cells);
    await kill(asking);
    asking = coordinator();
  }
  const [code] = await once(asking, 'exit');
  isOver = true;
  const killed = await killing;
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `exit code ${code} after ${seconds.toFixed(0)} s; ${killed} workers killed, Redis and coordinator twice`,
  );
  console.log(`${cells} cells: begun ${countLines(/^begun /gm)} times, done ${countLines(/^done /gm)} times`);
  await compare();
}

async function compare(): Promise<void> {
  await once(parliament('alone', 'experiment', tableFile, '--quiet'), 'exit');
  const [alone, queue] = ['alone', 'coordinator'].map((log) =>
    readFileSync(join(home, `${log}.out`), 'utf8'),
  );
  console.log(alone === queue && alone !== '' ? 'the same table as on one machine' : 'NOT the same table');
}

try {
  writeTable();
  await soak();
} finally {
  isOver = true;
  for (const child of children) child.kill('SIGKILL');
  if (process.env.KEEP === undefined) rmSync(home, { recursive: true, force: true });
  else console.log(home);
}
