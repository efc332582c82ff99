import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish, mix } from '../../src/learn/hashing.ts';

describe('hashing', () => {
  test.each([
    [0, 0],
    [1, 0x514e28b7],
    [0xffffffff, 0x81f16f39],
  ])('finish(%i) is MurmurHash3_x86_32 of an empty text with that seed', (seed, hash) => {
    expect(finish(seed) >>> 0).toBe(hash);
  });

  test('hashes are signed 32-bit integers', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (hash, field) => {
        for (const value of [mix(hash, field), finish(hash)]) expect(value).toBe(value | 0);
      }),
    );
  });

  test('the order of fields changes the hash', () => {
    expect(mix(mix(1, 5), 7)).not.toBe(mix(mix(1, 7), 5));
  });

  test('pairs of small numbers spread evenly over a small table', () => {
    const counts = new Int32Array(256);
    for (let a = 0; a < 256; a++) for (let b = 0; b < 256; b++) counts[finish(mix(mix(1, a), b)) & 255]++;
    // Six standard deviations around 256.
    for (const count of counts) expect(Math.abs(count - 256)).toBeLessThan(96);
  });
});
