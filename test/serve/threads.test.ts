import { mkdirSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { defaults } from '../../serve/requests/context.ts';
import type { ServedModel } from '../../serve/tasks/served-models.ts';
import type { ParseTask } from '../../serve/tasks/task.ts';
import { TaskRunner } from '../../serve/tasks/task-runner.ts';
import type { ThreadOptions, ThreadWorkers } from '../../serve/tasks/workers.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { Sandbox } from '../support/sandbox.ts';
import { smallModelFiles, smallServedModels } from '../support/service.ts';

const sandbox = new Sandbox('serve-threads');

/** The built module: threads cannot run the source. */
const builtModule = (name: string) => pathToFileURL(join(packageFolder, 'dist', 'serve', name)).href;

let models: ServedModel[];
let workers: ThreadWorkers;
/** The threads that have been started, and the reasons for which some have ended. */
const started: Worker[] = [];
const losses: string[] = [];
const onWorker = (worker: Worker) => void started.push(worker);

beforeAll(async () => {
  models = await smallServedModels(sandbox);
  process.on('worker', onWorker);
});
beforeEach(() => {
  started.length = 0;
  losses.length = 0;
});
afterAll(() => void process.off('worker', onWorker));

async function start(options: Partial<ThreadOptions> = {}): Promise<void> {
  const { ThreadWorkers } = (await import(
    builtModule('tasks/workers.js')
  )) as typeof import('../../serve/tasks/workers.ts');
  const onLoss = (reason: string) => void losses.push(reason);
  workers = new ThreadWorkers({ models, mostWords: 10_000 }, { threads: 2, timeout: 60, onLoss, ...options });
  await workers.ready();
}

const task = (text: string, model = 'small-en'): ParseTask => ({
  kind: 'parse',
  model,
  input: { text, layout: 'text' },
  steps: {},
  output: 'conllu',
});
const long = 'The old dogs of the village bark all night. '.repeat(20_000);

test('threads give the same results as a single one, and share one copy of the weights', async () => {
  await start();
  const texts = Array.from({ length: 20 }, (_, i) => `Dog number ${i} barks. Nobody knows why.`);
  const here = await TaskRunner.open({ models, mostWords: 10_000 });
  const there = await Promise.all(texts.map((text) => workers.run(task(text))));
  expect(there).toEqual(texts.map((text) => here.run(task(text))));
  expect(await workers.run(task(texts[0], 'both'))).toEqual(here.run(task(texts[0], 'both')));
  expect(started).toHaveLength(2);
  for (const model of models) {
    if (model.kind !== 'vote') expect(model.copy.buffer).toBeInstanceOf(SharedArrayBuffer);
  }
  await workers.end();
});

test('the task of a thread that dies fails with a clear error, and another thread takes its place', async () => {
  await start({ threads: 1 });
  const dying = workers.run({ kind: 'tokenize', model: 'small-en', input: { text: long, layout: 'text' } });
  await setTimeout(20);
  const waiting = workers.run(task('Dogs bark.'));
  void started[0].terminate();
  await expect(dying).rejects.toMatchObject({
    statusCode: 500,
    message: 'the thread that worked on this has ended: another has taken its place',
  });
  expect((await waiting).words).toBe(3);
  expect(losses).toEqual(['exit']);
  expect(started).toHaveLength(2);
  await workers.end();
});

test('idle threads that die are replaced, even if they die at their start', async () => {
  await start({ threads: 1 });
  void started[0].terminate();
  while (started.length < 2) await setTimeout(5);
  // The worker pool alone would give up here.
  await started[1].terminate();
  expect((await workers.run(task('Dogs bark.'))).words).toBe(3);
  await workers.end();
});

test('a task that takes too long ends its thread, which is replaced; a task that only waited ends none', async () => {
  await start({ threads: 1, timeout: 1 });
  const input = { text: long.repeat(10), layout: 'text' } as const;
  const begun = workers.run({ kind: 'tokenize', model: 'small-en', input });
  await setTimeout(0);
  const late = await Promise.allSettled([begun, workers.run(task('Dogs bark.'))]);
  const reason = { statusCode: 503, message: 'not done within 1 s', retryAfter: 1 };
  expect(late).toMatchObject([{ reason }, { reason }]);
  expect(losses).toEqual(['timeout']);
  while (started.length < 2) await setTimeout(5);
  await workers.end();
});

test('a waiting task ends at its time limit, and at once if its client has disconnected', async () => {
  await start({ threads: 1, timeout: 4 });
  const input = { text: long.repeat(10), layout: 'text' } as const;
  const cut = (client?: Socket) => workers.run({ kind: 'tokenize', model: 'small-en', input }, client);
  const before = Date.now();
  const client = new Socket();
  const all = [cut(client), cut(client), cut(client), cut(client), cut()].map((each) =>
    each.catch(({ statusCode }) => statusCode),
  );
  client.destroy();
  // The first task was running already; if the others ran too, the last would wait for sixteen seconds.
  expect(await Promise.all(all)).toEqual([503, 499, 499, 499, 503]);
  expect(Date.now() - before).toBeLessThan(15_000);
  await workers.end();
});

test('a task that the shutdown interrupts is refused and not logged as a fault', async () => {
  await start({ threads: 1 });
  const text = long.repeat(10);
  const cut = workers.run({ kind: 'tokenize', model: 'small-en', input: { text, layout: 'text' } });
  const refused = expect(cut).rejects.toMatchObject({ statusCode: 503, message: 'the service ends' });
  await setTimeout(20);
  await workers.end();
  await refused;
  expect(losses).toEqual([]);
});

test('sentences of ten thousand words are parsed, and leave a thread to short ones', async () => {
  await start();
  const words = (count: number) => `${'dog '.repeat(count)}barks.`;
  const presegmented = (text: string): ParseTask => ({ ...task(text), input: { text, layout: 'lines' } });
  const done: string[] = [];
  const doing = (name: string, given: ParseTask) =>
    workers.run(given).then(({ words }) => done.push(`${name} ${words}`));
  const long = ['long', 'too'].map((name) => doing(name, presegmented(words(9_998))));
  const short = Array.from({ length: 10 }, () => doing('short', task('Dogs bark.')));
  await Promise.all([...long, ...short]);
  expect(done.slice(0, 10)).toEqual(new Array(10).fill('short 3'));
  expect(done.slice(10)).toEqual(['long 10000', 'too 10000']);
  await workers.end();
});

test('training that is lost when the service ends is not reported as a fault', async () => {
  const folder = sandbox.path('learning');
  mkdirSync(folder);
  const sentence = '1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n';
  writeFileSync(join(folder, 'ten.conllu'), sentence.repeat(10));
  const faults: Error[] = [];
  const learning = await learningIn(folder, (fault) => faults.push(fault));
  await learning.begin('small-en', 'ten.conllu');
  await learning.end();
  await setTimeout(20);
  expect(faults).toEqual([]);
});

test('a service that cannot reload its models ends the threads that it has started for them', async () => {
  const { Service } = (await import(builtModule('service.js'))) as typeof import('../../serve/service.ts');
  const { ThreadWorkers } = (await import(
    builtModule('tasks/workers.js')
  )) as typeof import('../../serve/tasks/workers.ts');
  const files = [{ name: 'greedy', file: (await smallModelFiles(sandbox)).parser }];
  const options = { ...defaults, threads: 2, port: 0 };
  const service = await Service.start({ files, votes: [] }, options, pino({ enabled: false }));
  const ready = vi.spyOn(ThreadWorkers.prototype, 'ready').mockRejectedValueOnce(new Error('no memory'));
  await service.reload();
  ready.mockRestore();
  while (started.length < 4) await setTimeout(5);
  // A thread that has ended has a negative number.
  expect(started.map(({ threadId }) => threadId > 0)).toEqual([true, true, false, false]);
  await service.stop();
});

/** The built learning module, which trains in a thread. */
async function learningIn(folder: string, onFault: (fault: Error) => void) {
  const { EditFolder } = (await import(
    builtModule('edit/edit-folder.js')
  )) as typeof import('../../serve/edit/edit-folder.ts');
  const { Learning } = (await import(
    builtModule('edit/learning.js')
  )) as typeof import('../../serve/edit/learning.ts');
  return new Learning(await EditFolder.open(folder), {
    models: () => models,
    serve: async () => {},
    onFault,
  });
}

test('a file with too few sentences gives the same message if a thread trains on it', async () => {
  const folder = sandbox.path('trees');
  mkdirSync(folder);
  writeFileSync(join(folder, 'few.conllu'), '1\tDogs\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n');
  const learning = await learningIn(folder, () => {});
  await learning.begin('small-en', 'few.conllu');
  while (learning.state.state === 'running') await setTimeout(10);
  expect(learning.state).toMatchObject({
    state: 'failed',
    problem: 'few.conllu: 1 sentence, expected at least 5: one is held out',
  });
});
