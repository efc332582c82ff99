/**
 * Ten minutes, or as many seconds as are asked for, of what a service has to stand: short texts, texts of 64 kB,
 * malformed requests, clients that go away, every minute a thread that is ended and models that are read again. Every
 * answer is compared with what `parliament parse` writes; memory after it with memory before.
 *
 *   npm run build && node dist/bench/soak.js english.model dev.conllu [seconds [clients [seed]]]
 *
 * The treebank is what texts are taken from, the model a pipeline that reads text. Ends with status 1 where an answer
 * was wrong, or memory has changed by more than a tenth.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../src/learn/random.ts';
import { Load, newTally, type Tally } from './soak/load.ts';
import { SoakedService } from './soak/soaked-service.ts';
import { knownTexts } from './soak/texts.ts';

const THREADS = 2;
/** Seconds from one thread that is ended to the next. */
const PERIOD = 60;
/** The share of the time in which the same goes on before memory is first measured: what is kept is there by then. */
const WARMING = 0.5;
/** By how much memory may change. */
const TOLERANCE = 0.1;

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
  print(`${total} requests answered as they ought to be: ${JSON.stringify(tally.answered)}`);
  print(`${tally.lost} requests lost with ${tally.kills.length} threads that were ended`);
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

/** Load for so long, with models that are read again, and a thread that is ended, in every period. */
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
