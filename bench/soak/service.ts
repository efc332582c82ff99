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

interface Tally {
  readonly answered: Record<string, number>;
  /** Requests that a killed thread was processing: they get an error, or their response is cut off. */
  lost: number;
  readonly kills: number[];
  readonly wrong: string[];
}

const [, , model, treebank, time = '600', clients = '12', seed = '1'] = process.argv;
const seconds = Number(time);
const print = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const service = startService();
const tell = (order: Order) => service.send(order);
const { address } = (await report()) as { address: string };
try {
  const texts = await knownTexts(treebank, model, folder, new Random(Number(seed)));
  const load = Array.from({ length: Number(clients) }, (_, i): RequestSources => {
    return { address, ...texts, random: new Random(Number(seed) * 1000 + i) };
  });
  await disturbed(load, seconds * WARMING);
  const before = await idleMemory();
  const { answered, lost, kills, wrong } = await disturbed(load, seconds);
  const after = await idleMemory();
  const change = after / before - 1;
  const total = Object.values(answered).reduce((a, b) => a + b, 0);
  print(`${total} requests answered correctly: ${JSON.stringify(answered)}`);
  print(`${lost} requests lost with ${kills.length} killed threads`);
  print(`${wrong.length} wrong answers`);
  for (const problem of wrong.slice(0, 10)) print(`  ${problem}`);
  const [from, to] = [before, after].map((megabytes) => megabytes.toFixed(0));
  print(`memory: ${from} MB before, ${to} MB after (${(100 * change).toFixed(1)}%)`);
  process.exitCode = wrong.length > 0 || Math.abs(change) > TOLERANCE ? 1 : 0;
} finally {
  tell('stop');
  await once(service, 'exit');
  rmSync(folder, { recursive: true });
}

function startService(): ChildProcess {
  const file = fileURLToPath(new URL('./service-process.js', import.meta.url));
  // As docs/serve.md recommends: otherwise the C library retains more and more freed memory.
  const env = { ...process.env, MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
  const child = fork(file, [model, String(THREADS)], { execArgv: ['--expose-gc'], env });
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`the service has ended with status ${code}`);
  });
  return child;
}

async function report(): Promise<Report> {
  const [message] = await once(service, 'message');
  return message;
}

/** In megabytes. */
async function idleMemory(): Promise<number> {
  tell('memory');
  return ((await report()) as { memory: number }).memory / 2 ** 20;
}

async function runClient(sources: RequestSources, end: number, tally: Tally): Promise<void> {
  while (performance.now() < end) {
    const kind = kindOf(sources.random.below(100));
    const start = performance.now();
    const problem = await requests[kind].make(sources).catch((error: Error) => `no answer: ${error.message}`);
    if (problem === undefined) tally.answered[kind] += 1;
    else if (/^(500: .*thread|no answer)/.test(problem) && tally.kills.some((time) => time >= start)) {
      tally.lost += 1;
    } else tally.wrong.push(`${kind}: ${problem}`);
  }
}

function kindOf(place: number): string {
  let before = 0;
  for (const [kind, { share }] of Object.entries(requests)) {
    before += share;
    if (place < before) return kind;
  }
  throw new Error(`there are shares of ${before}, expected 100`);
}

/** Runs all clients for `duration` seconds, with a reload of models and a killed thread in every period. */
async function disturbed(load: readonly RequestSources[], duration: number): Promise<Tally> {
  const answered = Object.fromEntries(Object.keys(requests).map((kind) => [kind, 0]));
  const tally: Tally = { answered, lost: 0, kills: [], wrong: [] };
  const period = Math.min(PERIOD, seconds * WARMING);
  let thirds = 0;
  const disturb = () => {
    thirds += 1;
    if (thirds % 3 === 1) tell('reload');
    if (thirds % 3 === 2) {
      tally.kills.push(performance.now());
      tell('kill');
    }
  };
  const timer = setInterval(disturb, (period * 1000) / 3);
  const end = performance.now() + duration * 1000;
  await Promise.all(load.map((client) => runClient(client, end, tally)));
  clearInterval(timer);
  return tally;
}
