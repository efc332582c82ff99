import { type Job, jobNeeds } from '../jobs/job.ts';

/** A job that is waiting, perhaps for others, by their names. */
export interface Waiting {
  readonly name: string;
  readonly job: Job;
}

export interface Bounds {
  /** How many may run at the same time. */
  readonly atOnce: number;
  /** Bytes for all that run together; a job that needs more runs alone. */
  readonly memory: number;
}

/**
 * Works on jobs, several at a time, as many as the memory takes: the first that fits is next,
 * and a job after those that it needs. Ends when all are done, with the first error that `work` throws where
 * it does.
 *
 * @param estimate bytes that a job will need, asked anew whenever there is room
 */
export async function schedule(
  jobs: readonly Waiting[],
  { atOnce, memory }: Bounds,
  estimate: (job: Job) => number,
  work: (waiting: Waiting) => Promise<void>,
): Promise<void> {
  const waiting = [...jobs];
  const running = new Map<string, { readonly bytes: number; readonly done: Promise<string> }>();
  while (waiting.length > 0 || running.size > 0) {
    const used = [...running.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const unfinished = new Set([...running.keys(), ...waiting.map(({ name }) => name)]);
    const isReady = (job: Job) => !jobNeeds(job).some((name) => unfinished.has(name));
    const fits = (job: Job) => running.size === 0 || used + estimate(job) <= memory;
    const next = waiting.findIndex(({ job }) => isReady(job) && fits(job));
    if (next >= 0 && running.size < atOnce) {
      const [one] = waiting.splice(next, 1);
      const { name, job } = one!;
      const done = work(one!).then(() => name);
      // It is waited for below; until then a rejection is only early, not unhandled.
      done.catch(() => undefined);
      running.set(name, { bytes: estimate(job), done });
    } else {
      running.delete(await Promise.race([...running.values()].map(({ done }) => done)));
    }
  }
}
