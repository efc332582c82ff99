import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { BlockingWorker } from '../../src/platform/threads.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('blocking-worker');

/** A worker whose module has this code. */
function workerOf(code: string): BlockingWorker<number, number> {
  const file = sandbox.path('worker.mjs');
  writeFileSync(file, code);
  return new BlockingWorker(pathToFileURL(file));
}

test('a blocking worker answers requests in turn, and passes on the error of a request', () => {
  const threads = pathToFileURL(join(packageFolder, 'dist/src/platform/threads.js')).href;
  const worker = workerOf(`
    import { answerRequests } from '${threads}';
    answerRequests(async (n) => {
      if (n < 0) throw new Error(n + ' is negative');
      return 2 * n;
    });`);
  const numbers = Array.from({ length: 1000 }, (_, n) => n);
  expect(numbers.map((n) => worker.ask(n))).toEqual(numbers.map((n) => 2 * n));
  expect(() => worker.ask(-1)).toThrow('-1 is negative');
  expect(worker.ask(1)).toBe(2);
});

test('a blocking worker is not woken before its answer by a late notification of an earlier answer', () => {
  const worker = workerOf(`
    import { workerData } from 'node:worker_threads';
    const { port, answered } = workerData;
    port.on('message', (n) => setTimeout(() => {
      port.postMessage({ answer: 2 * n });
      Atomics.store(answered, 0, 1);
    }, 50));
    setInterval(() => Atomics.notify(answered, 0), 1);`);
  expect([1, 2, 3].map((n) => worker.ask(n))).toEqual([2, 4, 6]);
});
