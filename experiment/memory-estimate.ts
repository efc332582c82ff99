import { statSync } from 'node:fs';
import type { CellResult, Job } from './job.ts';

/**
 * What a cell is taken to need before one of its kind has run: a process with weights, and a treebank in
 * memory. (Measured with the graph parser's defaults on UD English EWT, 14 MB: 420 MB.)
 */
const EMPTY_CELL = 256e6;
const BYTES_A_BYTE = 16;

/** Learns from finished cells how much memory, in bytes, others will need. */
export class MemoryEstimate {
  readonly #measured = new Map<string, number>();

  learn({ job, peakMemory }: CellResult): void {
    this.#measured.set(kind(job), Math.max(peakMemory, this.#measured.get(kind(job)) ?? 0));
  }

  of(job: Job): number {
    return this.#measured.get(kind(job)) ?? EMPTY_CELL + BYTES_A_BYTE * statSync(job.train.path).size;
  }
}

/** Cells of a kind differ in their seed only. */
function kind({ paradigm, options, train, trainSentences }: Job): string {
  return JSON.stringify([paradigm, options, train.digest, trainSentences]);
}
