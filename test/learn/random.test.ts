import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/learn/random.ts';

describe('Random', () => {
  test('gives the same draws for the same seeds, and other draws for another seed', () => {
    const draws = (...seeds: [number, number?, number?]) => {
      const random = new Random(...seeds);
      return Array.from({ length: 20 }, () => random.next());
    };
    expect(draws(7, 2)).toEqual(draws(7, 2));
    expect(draws(7, 2)).not.toEqual(draws(7, 3));
    expect(draws(7, 2)).not.toEqual(draws(8, 2));
  });

  test('below(n) gives every number from 0 to n − 1 about equally often', () => {
    const random = new Random(1);
    const counts = new Int32Array(5);
    for (let i = 0; i < 50_000; i++) counts[random.below(5)]++;
    // Five standard deviations around 10,000.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(450);
  });

  test('shuffle keeps every item', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const shuffled = new Random(seed).shuffle(Int32Array.from(items));
        expect([...shuffled].sort()).toEqual([...Int32Array.from(items)].sort());
      }),
    );
  });

  test('shuffle gives every order of three items about equally often', () => {
    const orders = new Map<string, number>();
    for (let seed = 0; seed < 6000; seed++) {
      const order = new Random(1, seed).shuffle(Int32Array.of(1, 2, 3)).join('');
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect(orders.size).toBe(6);
    for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
