import { sizeOfFile } from '../../src/files/files.ts';
import { type Job, sentencesIn } from '../jobs/job.ts';
import type { Summary } from '../jobs/job-result.ts';
import { countOf } from '../jobs/selection.ts';

/** Bytes of a process without data, and per byte of the file (the graph parser on UD English EWT takes 420 MB). */
const EMPTY_CELL = 256e6;
const BYTES_PER_BYTE = 16;

/** Estimates the memory of a job from earlier jobs, or else from the size of its file. */
export class MemoryEstimate {
  /** By kind: the memory of jobs of a kind differs mainly by their number of training sentences. */
  private readonly measured = new Map<string, { readonly sentences: number; readonly bytes: number }[]>();

  learn({ job, peakMemory }: Summary): void {
    const own = { sentences: sentencesOf(job), bytes: peakMemory };
    this.measured.set(kind(job), [...(this.measured.get(kind(job)) ?? []), own]);
  }

  /** The memory of the job with the next larger number of sentences, or extrapolated from the largest job. */
  of(job: Job): number {
    const all = this.measured.get(kind(job));
    if (all === undefined) return EMPTY_CELL + BYTES_PER_BYTE * sizeOfFile(sentencesIn(job).path);
    const sentences = sentencesOf(job);
    const sizes = all.map((one) => one.sentences);
    const nearest = Math.min(Math.max(...sizes), ...sizes.filter((size) => size >= sentences));
    const bytes = Math.max(...all.filter((one) => one.sentences === nearest).map((one) => one.bytes));
    return bytes * Math.max(1, sentences / nearest);
  }
}

const sentencesOf = (job: Job) => countOf(sentencesIn(job));

function kind(job: Job): string {
  if (job.kind === 'tagging') return JSON.stringify([job.kind, job.learn.digest, job.folds]);
  if (job.kind === 'vote') return JSON.stringify([job.vote, job.members.length, job.test.digest]);
  if (job.kind === 'file') return JSON.stringify([job.kind, job.test.digest]);
  const { paradigm, options, train, stacking } = job;
  return JSON.stringify([paradigm, options, train.digest, stacking]);
}

/**
 * A weighted semaphore with a first-in, first-out queue: for memory in bytes, say. A request for more than the capacity
 * is granted when nothing else is held.
 */
export class Semaphore {
  private readonly queue: { readonly weight: number; readonly grant: () => void }[] = [];
  private used = 0;
  private holders = 0;

  constructor(private readonly capacity: number) {}

  get waiting(): number {
    return this.queue.length;
  }

  /** Waits for its turn; returns a function that releases the weight. */
  async acquire(weight: number): Promise<() => void> {
    await new Promise<void>((grant) => {
      this.queue.push({ weight, grant });
      this.next();
    });
    return () => {
      this.used -= weight;
      this.holders--;
      this.next();
    };
  }

  private next(): void {
    for (let first = this.queue[0]; first !== undefined; first = this.queue[0]) {
      if (this.holders > 0 && this.used + first.weight > this.capacity) return;
      this.queue.shift();
      this.used += first.weight;
      this.holders++;
      first.grant();
    }
  }
}
