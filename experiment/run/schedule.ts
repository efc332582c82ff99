import { setTimeout } from 'node:timers/promises';
import { type Job, jobNeeds } from '../jobs/job.ts';
import type { Waiting } from './executor.ts';

export interface Bounds {
  /** How many may run at the same time. */
  readonly atOnce: number;
  /** Bytes for all that run together; a job that needs more runs alone. */
  readonly memory: number;
}

/** Milliseconds after which it is asked again whether a job can be had that another process has at hand. */
const PAUSE = 200;

/**
 * Works on jobs, several at a time, as many as the memory takes: the first that fits is next,
 * and a job after those that it needs. Ends when all are done, with the first error that `work` throws where
 * it does.
 *
 * @param estimate bytes that a job will need, asked anew whenever there is room
 * @param work begins a job; undefined where it cannot be had now: others come first, and it is asked again
 */
export async function schedule(
  jobs: readonly Waiting[],
  { atOnce, memory }: Bounds,
  estimate: (job: Job) => number,
  work: (waiting: Waiting) => Promise<void> | undefined,
): Promise<void> {
  const waiting = [...jobs];
  const running = new Map<string, { readonly bytes: number; readonly done: Promise<string> }>();
  const beginNext = (): 'begun' | 'refused' | 'none' => {
    if (running.size >= atOnce) return 'none';
    const used = [...running.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const unfinished = new Set([...running.keys(), ...waiting.map(({ name }) => name)]);
    const isReady = (job: Job) => !jobNeeds(job).some((name) => unfinished.has(name));
    const fits = (job: Job) => running.size === 0 || used + estimate(job) <= memory;
    let outcome: 'refused' | 'none' = 'none';
    for (const [i, one] of waiting.entries()) {
      const { name, job } = one;
      if (!isReady(job) || !fits(job)) continue;
      const done = work(one)?.then(() => name);
      if (done === undefined) outcome = 'refused';
      else {
        // It is waited for below; until then a rejection is only early, not unhandled.
        done.catch(() => undefined);
        running.set(name, { bytes: estimate(job), done });
        waiting.splice(i, 1);
        return 'begun';
      }
    }
    return outcome;
  };
  while (waiting.length > 0 || running.size > 0) {
    const outcome = beginNext();
    if (outcome === 'begun') continue;
    const events: Promise<string | undefined>[] = [...running.values()].map(({ done }) => done);
    if (outcome === 'refused') events.push(setTimeout(PAUSE));
    const ended = await Promise.race(events);
    if (ended !== undefined) running.delete(ended);
  }
}
