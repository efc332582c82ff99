/**
 * A corpus in a queue with eight workers that wait in place of parsing: `node dist/bench/corpus-queue.js MODEL SHARDS
 * MILLISECONDS [MINUTES [SEED]]`. Prints what share the workers do of what they could, and the memory of coordinator and
 * Redis; checks the output, and tells what is left beside it. For so many minutes the coordinator, a worker, or Redis
 * (which keeps its data, or loses them) is killed every 20 seconds.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { CorpusFolder, type DoneShard, isDone } from '../corpus/folder.ts';
import { runShardWorker } from '../corpus/queue/shard-worker-process.ts';
import { mergeShards } from '../corpus/status.ts';
import { queueServer } from '../experiment/queue/server.ts';
import { Random } from '../src/learn/random.ts';
import { packageFolder } from '../src/platform/package.ts';

const [WORKERS, KILL_EVERY] = [8, 20_000];
/** Processes: one where there is nothing to wait for, which is quicker. */
const processes = (milliseconds: number) => (milliseconds === 0 ? 1 : WORKERS);
const kinds = ['coordinator', 'worker', 'redis', 'emptyRedis'] as const;

/** A worker process: writes each shard in capitals after a while. */
async function work(url: string, milliseconds: number, folder: string): Promise<void> {
  process.on('disconnect', () => process.exit());
  const run = async ({ bytes }: { readonly bytes: Buffer }) => {
    await setTimeout(milliseconds);
    const text = Buffer.from(bytes).toString().toUpperCase();
    const figures = { sentences: 1, words: 1, skipped: 0, withoutTree: 0, warnings: [] };
    return { ...figures, bytes: Buffer.from(text) };
  };
  const open = () => ({ run, end: async () => undefined });
  const { signal } = new AbortController();
  await runShardWorker({
    server: queueServer(url),
    folder,
    jobs: WORKERS / processes(milliseconds),
    signal,
    open,
  });
}

class Bench {
  private readonly home = mkdtempSync(join(tmpdir(), 'parliament-bench-'));
  private readonly port = 10_000 + (process.pid % 20_000);
  private readonly url = `redis://127.0.0.1:${this.port}`;
  private readonly client = new Redis(this.url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  private readonly children = new Set<ChildProcess>();
  private readonly killed = { coordinator: 0, worker: 0, redis: 0, emptyRedis: 0 };
  private readonly most = { redis: 0, coordinator: 0 };
  /** Its paragraphs of 1,000 bytes are shards. */
  private readonly text: string;
  private redis!: ChildProcess;
  private coordinator!: ChildProcess;
  private isOver = false;

  constructor(
    private readonly model: string,
    private readonly shards: number,
    private readonly milliseconds: number,
    private readonly minutes: number,
    private readonly seed: number,
  ) {
    const all = Array.from({ length: shards }, (_, i) => `${i}`.padEnd(998, ' dolor'));
    this.text = `${all.join('\n\n')}\n\n`;
  }

  async run(): Promise<void> {
    this.client.on('error', () => undefined);
    try {
      writeFileSync(join(this.home, 'text.txt'), this.text);
      mkdirSync(join(this.home, 'redis'));
      await this.startRedis();
      const workers = Array.from({ length: processes(this.milliseconds) }, (_, i) => this.startWorker(i));
      // Until their code is loaded.
      await setTimeout(5000);
      this.startCoordinator();
      await Promise.all([this.watch(), this.killAll(workers), this.ended()]);
      await this.report();
    } finally {
      for (const child of this.children) child.kill('SIGKILL');
      this.client.disconnect();
      rmSync(this.home, { recursive: true, force: true });
    }
  }

  private kept(child: ChildProcess): ChildProcess {
    this.children.add(child);
    return child.once('exit', () => this.children.delete(child));
  }

  private async startRedis(): Promise<void> {
    const flags = [
      '--port',
      `${this.port}`,
      '--dir',
      join(this.home, 'redis'),
      '--appendonly',
      'yes',
      '--save',
      '',
    ];
    this.redis = this.kept(spawn('redis-server', flags, { stdio: 'ignore' }));
    await this.client.ping();
  }

  private startWorker(i: number): ChildProcess {
    const folder = join(this.home, `worker${i}`);
    return this.kept(
      fork(fileURLToPath(import.meta.url), ['worker', this.url, `${this.milliseconds}`, folder]),
    );
  }

  private startCoordinator(): void {
    const program = join(packageFolder, 'dist', 'cli', 'main.js');
    const input = [join(this.home, 'text.txt'), '--shard-size', '1kB', '--no-gzip', '--model', this.model];
    const output = ['--quiet', '--queue', this.url, '-o', join(this.home, 'out')];
    const stdio = ['ignore', 'ignore', 'inherit'] as const;
    this.coordinator = this.kept(
      spawn(process.execPath, [program, 'corpus', ...input, ...output], { stdio: [...stdio] }),
    );
  }

  /** Ends when a coordinator has done everything; one that is killed is followed by another. */
  private async ended(): Promise<void> {
    for (let code: number | null = null; code === null; ) {
      [code] = await once(this.coordinator, 'exit');
      if (code === null) this.startCoordinator();
      else if (code !== 0) throw new Error(`the coordinator ended with ${code}`);
    }
    this.isOver = true;
  }

  private async watch(): Promise<void> {
    for (; !this.isOver; await setTimeout(500)) {
      for (const name of ['redis', 'coordinator'] as const) {
        try {
          const status = readFileSync(`/proc/${this[name].pid}/status`, 'utf8');
          this.most[name] = Math.max(this.most[name], Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
        } catch {
          // It has just been killed.
        }
      }
    }
  }

  private async killAll(workers: ChildProcess[]): Promise<void> {
    const random = new Random(this.seed);
    const end = Date.now() + 60_000 * this.minutes;
    while (Date.now() + KILL_EVERY <= end) {
      await setTimeout(KILL_EVERY);
      if (this.isOver) return;
      const kind = kinds[random.below(kinds.length)]!;
      const i = random.below(workers.length);
      this.killed[kind]++;
      const child = kind === 'coordinator' ? this.coordinator : kind === 'worker' ? workers[i]! : this.redis;
      child.kill('SIGKILL');
      if (kind === 'coordinator') continue;
      await once(child, 'exit');
      if (kind === 'emptyRedis') rmSync(join(this.home, 'redis', 'appendonlydir'), { recursive: true });
      if (kind === 'worker') workers[i] = this.startWorker(i);
      else await this.startRedis();
    }
  }

  private async report(): Promise<void> {
    const [out, merged] = [join(this.home, 'out'), join(this.home, 'merged')];
    await mergeShards(out, merged);
    const isSame = readFileSync(merged, 'utf8') === this.text.toUpperCase();
    const records = [...CorpusFolder.open(out).records()].filter(isDone);
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' });
    const beside = files.filter((file) => !/^shards\/\d+\.conllu$/.test(file)).sort();
    console.log(`killed with seed ${this.seed}: ${JSON.stringify(this.killed)}`);
    console.log(
      `output ${isSame ? 'as expected' : 'WRONG'}; ${records.length} records of ${this.shards} shards`,
    );
    console.log(`beside the shards: ${beside.join(' ')}`);
    console.log(`seconds: ${this.seconds(records)}; MB at most: ${JSON.stringify(this.most)}`);
    const left = new Map<string, number>();
    for (const key of await this.client.keys('*')) {
      const name = key.replaceAll(/[0-9a-f-]{16,}|(?<=:)\d+$/g, '…');
      left.set(name, Math.max(left.get(name) ?? -1, await this.client.ttl(key)));
    }
    for (const [name, seconds] of left) console.log(`left in Redis: ${name}, for ${seconds} s`);
  }

  /** From the first shards to the last, and what the workers need that only wait. */
  private seconds(records: readonly DoneShard[]): string {
    const ended = records.map((one) => one.ended).sort((a, b) => a - b);
    const took = (ended.at(-1)! - ended[2 * WORKERS]!) / 1000;
    // Where all end at once, the first and the last of these lie a round less apart.
    const ideal = ((ended.length - 3 * WORKERS) * this.milliseconds) / 1000 / WORKERS;
    return `${took.toFixed(1)}, ideal ${ideal.toFixed(1)} (${((100 * ideal) / took).toFixed(1)} %)`;
  }
}

const [first = '', ...rest] = process.argv.slice(2);
if (first === 'worker') await work(rest[0]!, Number(rest[1]), rest[2]!);
else {
  const [shards = 0, milliseconds = 0, minutes = 0, seed = 1] = rest.map(Number);
  await new Bench(first, shards, milliseconds, minutes, seed).run();
}
