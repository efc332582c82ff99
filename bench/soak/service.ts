/**
 * Stress test of the service, ten minutes by default: short texts, texts of 64 kB, malformed requests, clients that
 * disconnect, and every minute a killed thread and a reload of models. Compares every response with the output of
 * `parliament parse`, and memory before and after.
 *
 *   npm run build && node dist/bench/soak/service.js english.model dev.conllu [seconds [clients [seed]]]
 *
 * Texts are taken from the treebank; the model is a pipeline that reads text. Exits with status 1 if a response was wrong,
 * or memory has changed by more than a tenth.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../../src/learn/random.ts';
import { knownTexts, type RequestSources, requests } from './requests.ts';
import type { Order, Report } from './service-process.ts';

const THREADS = 2;
/** Seconds between killed threads. */
const PERIOD = 60;
/** Share of the time used for warming up, before memory is first measured. */
const WARMING = 0.5;
/** Tolerated relative change of memory. */
const TOLERANCE = 0.1;

/** A service in another process. */
export class SoakedService {
  private constructor(
    private readonly child: ChildProcess,
    readonly address: string,
  ) {}

  static async start(model: string, threads: number): Promise<SoakedService> {
    const file = fileURLToPath(new URL('./service-process.js', import.meta.url));
    // As docs/serve.md recommends: otherwise the C library retains more and more freed memory.
    const env = { ...process.env, MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
    const child = fork(file, [model, String(threads)], { execArgv: ['--expose-gc'], env });
    child.once('exit', (code) => {
      if (code !== 0) throw new Error(`the service has ended with status ${code}`);
    });
    const [report] = (await once(child, 'message')) as [Report];
    return new SoakedService(child, 'address' in report ? report.address : '');
  }

  tell(order: Order): void {
    this.child.send(order);
  }

  /** Memory in megabytes when idle. */
  async memory(): Promise<number> {
    this.tell('memory');
    const [report] = (await once(this.child, 'message')) as [Report];
    return 'memory' in report ? report.memory / 2 ** 20 : Number.NaN;
  }

  async stop(): Promise<void> {
    this.tell('stop');
    await once(this.child, 'exit');
  }
}

/** Outcomes of all requests. */
export interface Tally {
  /** Number of correct responses by kind of request. */
  readonly answered: Record<string, number>;
  /** Requests that a killed thread was processing: they get an error, or their response is cut off. */
  lost: number;
  /** Times at which threads were killed. */
  readonly kills: number[];
  /** Descriptions of wrong responses. */
  readonly wrong: string[];
}

export function newTally(): Tally {
  const answered = Object.fromEntries(Object.keys(requests).map((kind) => [kind, 0]));
  return { answered, lost: 0, kills: [], wrong: [] };
}

/** Concurrent clients, each of which sends requests of random kinds in succession. */
export class Load {
  private readonly clients: readonly RequestSources[];

  constructor(sources: Omit<RequestSources, 'random'>, clients: number, seed: number) {
    this.clients = Array.from({ length: clients }, (_, i) => ({
      ...sources,
      random: new Random(seed * 1000 + i),
    }));
  }

  async run(seconds: number, tally: Tally): Promise<void> {
    const end = performance.now() + seconds * 1000;
    await Promise.all(this.clients.map((client) => this.work(client, end, tally)));
  }

  private async work(sources: RequestSources, end: number, tally: Tally): Promise<void> {
    while (performance.now() < end) {
      const kind = kindOf(sources.random.below(100));
      const start = performance.now();
      const problem = await requests[kind]
        .make(sources)
        .catch((error: Error) => `no answer: ${error.message}`);
      if (problem === undefined) tally.answered[kind] += 1;
      else if (/^(500: .*thread|no answer)/.test(problem) && tally.kills.some((time) => time >= start)) {
        tally.lost += 1;
      } else tally.wrong.push(`${kind}: ${problem}`);
    }
  }
}

/** The kind of request for a random number from 0 to 99. */
function kindOf(place: number): string {
  let before = 0;
  for (const [kind, { share }] of Object.entries(requests)) {
    before += share;
    if (place < before) return kind;
  }
  throw new Error(`there are shares of ${before}, expected 100`);
}

const [, , model, treebank, time = '600', clients = '12', seed = '1'] = process.argv;
const seconds = Number(time);
const print = (line: string) => process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const service = await SoakedService.start(model, THREADS);
try {
  const texts = await knownTexts(treebank, model, folder, new Random(Number(seed)));
  const load = new Load({ address: service.address, ...texts }, Number(clients), Number(seed));
  await disturbed(load, seconds * WARMING, newTally());
  const before = await service.memory();
  const tally = newTally();
  await disturbed(load, seconds, tally);
  const after = await service.memory();
  const change = after / before - 1;
  const total = Object.values(tally.answered).reduce((a, b) => a + b, 0);
  print(`${total} requests answered correctly: ${JSON.stringify(tally.answered)}`);
  print(`${tally.lost} requests lost with ${tally.kills.length} killed threads`);
  print(`${tally.wrong.length} wrong answers`);
  for (const problem of tally.wrong.slice(0, 10)) print(`  ${problem}`);
  print(
    `memory: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after (${(100 * change).toFixed(1)}%)`,
  );
  process.exitCode = tally.wrong.length > 0 || Math.abs(change) > TOLERANCE ? 1 : 0;
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}

/** Generates load for `duration` seconds, with a reload of models and a killed thread in every period. */
async function disturbed(load: Load, duration: number, tally: Tally): Promise<void> {
  const period = Math.min(PERIOD, seconds * WARMING);
  let thirds = 0;
  const timer = setInterval(
    () => {
      thirds += 1;
      if (thirds % 3 === 1) service.tell('reload');
      if (thirds % 3 === 2) {
        tally.kills.push(performance.now());
        service.tell('kill');
      }
    },
    (period * 1000) / 3,
  );
  await load.run(duration, tally);
  clearInterval(timer);
}
