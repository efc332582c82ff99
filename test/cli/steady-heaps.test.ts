import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';

/** The built module, for other processes to load: flags of V8 apply to a whole process. */
const built = pathToFileURL(join(packageFolder, 'dist', 'cli', 'terminal', 'process.js')).href;

/** Always holds the same number of objects, but keeps replacing them; reports the largest size of its heap. */
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

/** The median of five processes, because the time of a collection also depends on the other work of the machine. */
function usualHeap(isSteady: boolean): number {
  return [1, 2, 3, 4, 5].map(() => largestHeap(isSteady)).sort((a, b) => a - b)[2];
}

test('limitHeapGrowth makes threads collect garbage before their heaps have grown much', () => {
  expect(usualHeap(true)).toBeLessThan(0.9 * usualHeap(false));
});
