import { expect, test } from 'vitest';
import { StoredHashes } from '../../../../parsers/transition/learning/svm-trainer.ts';

test('stored hashes return every list, whichever chunk it is in', () => {
  const stored = new StoredHashes(3);
  const count = 10_000;
  for (let n = 0; n < count; n++) stored.add(Int32Array.of(n, -n, 7));
  expect(stored.count).toBe(count);
  for (let n = 0; n < count; n++) {
    const list = new Int32Array(3);
    stored.read(n, list);
    expect([...list]).toEqual([n, -n || 0, 7]);
  }
});

test('stored hashes take only the memory of their lists, and none for copies', () => {
  const width = 64;
  const count = 70_000;
  const hashes = new Int32Array(width);
  const before = process.memoryUsage().arrayBuffers;
  const stored = new StoredHashes(width);
  for (let n = 0; n < count; n++) stored.add(hashes);
  const bytes = process.memoryUsage().arrayBuffers - before;
  expect(bytes).toBeLessThan(1.1 * 4 * width * stored.count);
});
