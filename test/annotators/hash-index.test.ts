import { expect, test } from 'vitest';
import { HashIndex, NONE } from '../../annotators/hash-index.ts';
import { Random } from '../../src/learn/random.ts';

const seed = 1 + Math.floor(Math.random() * 1e6);

test(`hashes are numbered in the order in which they were added, at once or one by one (seed ${seed})`, () => {
  const random = new Random(seed);
  for (const size of [0, 1, 2, 3, 1000, 5000]) {
    const hashes = [...new Set(Array.from({ length: size }, () => random.next() | 0))];
    const added = new HashIndex();
    for (const hash of hashes) added.add(hash);
    const opened = HashIndex.of(Int32Array.from(hashes));
    for (const index of [added, opened]) {
      expect(index.size).toBe(hashes.length);
      expect([...index.hashes()]).toEqual(hashes);
      expect(hashes.every((hash, number) => index.numberOf(hash) === number)).toBe(true);
      const unknown = Array.from({ length: 100 }, () => random.next() | 0).filter(
        (hash) => !hashes.includes(hash),
      );
      expect(unknown.every((hash) => index.numberOf(hash) === NONE)).toBe(true);
      expect(index.add(unknown[0])).toBe(hashes.length);
      expect(index.add(hashes[0] ?? unknown[0])).toBe(0);
    }
  }
});
