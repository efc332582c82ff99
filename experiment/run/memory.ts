import { sizeOfFile } from '../../src/files/files.ts';
import { type Job, sentencesIn } from '../cells/job.ts';
import type { Summary } from '../cells/job-result.ts';
import { countOf } from '../cells/selection.ts';

/** Bytes, before a cell of the same kind has run (the graph parser on UD English EWT measured 420 MB). */
const EMPTY_CELL = 256e6;
const BYTES_A_BYTE = 16;

export class MemoryEstimate {
  /** By kind: cells of a kind differ only in seed and number of training sentences. */
  private readonly measured = new Map<string, { readonly sentences: number; readonly bytes: number }[]>();

  learn({ job, peakMemory }: Summary): void {
    const own = { sentences: sentencesOf(job), bytes: peakMemory };
    this.measured.set(kind(job), [...(this.measured.get(kind(job)) ?? []), own]);
  }

  /** Memory of the cell with the next larger number of sentences, or extrapolated from the largest. */
  of(job: Job): number {
    const all = this.measured.get(kind(job));
    if (all === undefined) return EMPTY_CELL + BYTES_A_BYTE * sizeOfFile(fileOf(job));
    const sentences = sentencesOf(job);
    const sizes = all.map((one) => one.sentences);
    const nearest = Math.min(Math.max(...sizes), ...sizes.filter((size) => size >= sentences));
    const bytes = Math.max(...all.filter((one) => one.sentences === nearest).map((one) => one.bytes));
    return bytes * Math.max(1, sentences / nearest);
  }
}

const fileOf = (job: Job) => sentencesIn(job).path;
const sentencesOf = (job: Job) => countOf(sentencesIn(job));

function kind(job: Job): string {
  if (job.kind === 'tagging') return JSON.stringify([job.kind, job.learn.digest, job.folds]);
  if (job.kind === 'vote') return JSON.stringify([job.vote, job.members.length, job.test.digest]);
  if (job.kind === 'file') return JSON.stringify([job.kind, job.test.digest]);
  const { paradigm, options, train, stacking } = job;
  return JSON.stringify([paradigm, options, train.digest, stacking]);
}

/** A queue for memory: cells start in order while memory allows; one that needs more than there is runs alone. */
export class MemoryTurns {
  private readonly queue: { readonly bytes: number; readonly begin: () => void }[] = [];
  private used = 0;
  private running = 0;

  constructor(private readonly memory: number) {}

  get waiting(): number {
    return this.queue.length;
  }

  /** Waits for memory; returns a function that frees it. */
  async take(bytes: number): Promise<() => void> {
    await new Promise<void>((begin) => {
      this.queue.push({ bytes, begin });
      this.next();
    });
    return () => {
      this.used -= bytes;
      this.running--;
      this.next();
    };
  }

  private next(): void {
    for (let first = this.queue[0]; first !== undefined; first = this.queue[0]) {
      if (this.running > 0 && this.used + first.bytes > this.memory) return;
      this.queue.shift();
      this.used += first.bytes;
      this.running++;
      first.begin();
    }
  }
}
