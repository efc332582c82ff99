import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';

/** As it is built: flags of V8 are those of a whole process, so that this is tried in another one. */
const built = pathToFileURL(join(packageFolder, 'dist', 'cli', 'terminal', 'process.js')).href;

/** Always holds the same number of objects, but keeps replacing them; returns the size of its heap. */
const thread = `
  const { parentPort } = require('node:worker_threads');
  const { getHeapStatistics } = require('node:v8');
  const kept = Array.from({ length: 100_000 }, () => undefined);
  let most = 0;
  for (let round = 0; round < 30; round++) {
    for (let i = 0; i < kept.length; i++) kept[i] = { number: i + round, list: [i] };
    most = Math.max(most, getHeapStatistics().total_heap_size);
  }
  parentPort.postMessage(most);`;

function largestHeap(isSteady: boolean): number {
  const program = `
    const { Worker } = require('node:worker_threads');
    import('${built}').then(({ limitHeapGrowth }) => {
      if (${isSteady}) limitHeapGrowth();
      new Worker(${JSON.stringify(thread)}, { eval: true }).on('message', (most) => console.log(most));
    });`;
  return Number(execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8' }));
}

/** In the middle of five processes: when a heap is collected depends on the machine's other work, too. */
function usualHeap(isSteady: boolean): number {
  return [1, 2, 3, 4, 5].map(() => largestHeap(isSteady)).sort((a, b) => a - b)[2];
}

test('heaps of threads are collected before they have grown by much', () => {
  expect(usualHeap(true)).toBeLessThan(0.9 * usualHeap(false));
});
