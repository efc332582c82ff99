import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrder } from '../../src/threads/scheduling.ts';

async function* numbers(count: number, failure?: Error): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) yield i;
  if (failure !== undefined) throw failure;
}

async function collect(results: AsyncIterable<number>): Promise<{ results: number[]; error: unknown }> {
  const collected: number[] = [];
  try {
    for await (const result of results) collected.push(result);
  } catch (error) {
    return { results: collected, error };
  }
  return { results: collected, error: undefined };
}

describe('inOrder', () => {
  it('returns results in the order of the items, and works on at most `window` items at a time', async () => {
    const delays = fc.array(fc.nat(4), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 5 }), async (delay, window) => {
        let now = 0;
        let most = 0;
        const work = async (i: number) => {
          most = Math.max(most, ++now);
          await setTimeout(delay[i]);
          now -= 1;
          return 10 * i;
        };
        const { results } = await collect(inOrder(numbers(delay.length), window, work));
        expect(results).toEqual(delay.map((_, i) => 10 * i));
        expect(most).toBeLessThanOrEqual(window);
      }),
      { numRuns: 50 },
    );
  });

  it('works on `window` items at the same time', async () => {
    const window = 4;
    let begun = 0;
    let release: () => void = () => undefined;
    const allBegun = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work = async (i: number) => {
      if (++begun === window) release();
      await allBegun;
      return i;
    };
    const { results } = await collect(inOrder(numbers(window), window, work));
    expect(results).toEqual([0, 1, 2, 3]);
  });

  it('throws the failure of the first item that fails, even if a later item failed earlier', async () => {
    const work = async (i: number) => {
      if (i === 2) await setTimeout(5);
      if (i >= 2) throw new Error(`item ${i}`);
      return i;
    };
    const { results, error } = await collect(inOrder(numbers(9), 6, work));
    expect(results).toEqual([0, 1]);
    expect(error).toEqual(new Error('item 2'));
  });

  it('returns the results of all items before it throws an error of their source', async () => {
    const work = async (i: number) => i;
    const { results, error } = await collect(inOrder(numbers(3, new Error('unreadable')), 8, work));
    expect(results).toEqual([0, 1, 2]);
    expect(error).toEqual(new Error('unreadable'));
  });
});
