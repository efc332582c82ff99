import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Job, ParserJob } from '../../../experiment/jobs/job.ts';
import { schedule } from '../../../experiment/run/this-machine.ts';

/** Jobs whose seed stands for the memory that they need. */
function jobs(sizes: readonly number[]) {
  return sizes.map((seed, i) => ({ name: String(i), job: { kind: 'parser', seed } as Job }));
}

const sizeOf = (job: Job) => (job as ParserJob).seed;

describe('scheduled jobs', () => {
  it('run once each, within the limits of number and memory, or alone if larger than memory', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 5, max: 30 }),
        fc.scheduler(),
        async (needed, atOnce, memory, s) => {
          const running = new Set<string>();
          const done: string[] = [];
          const work = async ({ name }: { name: string }) => {
            running.add(name);
            const used = [...running].reduce((sum, each) => sum + needed[Number(each)], 0);
            expect(running.size).toBeLessThanOrEqual(atOnce);
            if (running.size > 1) expect(used).toBeLessThanOrEqual(memory);
            await s.schedule(Promise.resolve());
            running.delete(name);
            done.push(name);
          };
          const all = schedule(jobs(needed), { atOnce, memory }, sizeOf, work);
          await s.waitFor(all);
          expect(done.sort()).toEqual(needed.map((_, i) => String(i)).sort());
        },
      ),
      { numRuns: 50 },
    );
  });

  it('run at the same time, up to the memory limit', async () => {
    let most = 0;
    let now = 0;
    await schedule(jobs([4, 4, 4, 4]), { atOnce: 3, memory: 8 }, sizeOf, async () => {
      most = Math.max(most, ++now);
      await setImmediate();
      now--;
    });
    expect(most).toBe(2);
  });

  it('end with the error of one that throws', async () => {
    const work = async ({ name }: { name: string }) => {
      if (name === '1') throw new Error('stopped');
    };
    await expect(schedule(jobs([1, 1, 1]), { atOnce: 1, memory: 9 }, sizeOf, work)).rejects.toThrow(
      'stopped',
    );
  });
});
