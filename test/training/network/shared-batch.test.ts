import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../../src/platform/package.ts';
import { OtherHalfFailed, SharedBatch } from '../../../src/training/network/batch-half.ts';

const newBatch = () => new SharedBatch(SharedBatch.bufferFor(3));
const built = pathToFileURL(join(packageFolder, 'dist/src/training/network/batch-half.js')).href;

/** Runs code in a thread, which has `batch` in the same memory. */
function inThread(batch: SharedBatch, code: string): Worker {
  const script = `
    const { workerData } = require('node:worker_threads');
    import('${built}').then(({ SharedBatch }) => {
      const batch = new SharedBatch(workerData);
      ${code}
    });`;
  return new Worker(script, { eval: true, workerData: batch.buffer });
}

describe('the barrier of two threads', () => {
  test('lets both pass when both have arrived', async () => {
    const batch = newBatch();
    const other = inThread(
      batch,
      'for (let i = 0; i < 1000; i++) { batch.squares[1] = i; batch.barrier(); batch.barrier(); }',
    );
    for (let i = 0; i < 1000; i++) {
      batch.barrier();
      expect(batch.squares[1]).toBe(i);
      batch.barrier();
    }
    await other.terminate();
  });

  test('throws if the other thread has failed, before or while this one waits', async () => {
    const batch = newBatch();
    batch.fail();
    expect(() => batch.barrier()).toThrow(OtherHalfFailed);
    expect(() => batch.barrier()).toThrow(OtherHalfFailed);

    const waiting = newBatch();
    const other = inThread(waiting, 'setTimeout(() => batch.fail(), 50);');
    expect(() => waiting.barrier()).toThrow(OtherHalfFailed);
    await other.terminate();
  });
});
