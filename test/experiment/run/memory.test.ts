import { expect, it } from 'vitest';
import { Semaphore } from '../../../experiment/run/memory.ts';

it('cells begin in order until memory is full; one that needs more than there is runs alone', async () => {
  const turns = new Semaphore(10);
  const begun: number[] = [];
  const leave: (() => void)[] = [];
  const take = (bytes: number) =>
    turns.acquire(bytes).then((end) => {
      begun.push(bytes);
      leave.push(end);
    });
  const all = [6, 4, 50, 1].map(take);
  await Promise.all(all.slice(0, 2));
  expect([begun, turns.waiting]).toEqual([[6, 4], 2]);
  leave[0]();
  await Promise.resolve();
  expect(begun).toEqual([6, 4]);
  leave[1]();
  await all[2];
  expect(begun).toEqual([6, 4, 50]);
  leave[2]();
  await all[3];
  expect(turns.waiting).toBe(0);
});
