import type { EncodedSentence } from '../../encoding/columns.ts';
import type { AdamStep } from '../../learn/network/parameters.ts';
import type { Position } from '../../learn/network/training.ts';
import { WorkerPool } from '../../threads/worker-pool.ts';
import { type BatchHalf, SharedBatch } from './batch-half.ts';
import type { HalfTask } from './half-worker.ts';

/** Runs the two halves of every batch, both in this thread or the second in a worker: the weights come out the same. */
export class Halves<E extends EncodedSentence> {
  private thread:
    | { readonly pool: WorkerPool<HalfTask | undefined, void>; readonly shared: SharedBatch }
    | undefined;

  /** @param second absent if it runs in the thread of `openThread` */
  constructor(
    private readonly first: BatchHalf<E>,
    private readonly second: BatchHalf<E> | undefined,
  ) {}

  async openThread(task: Omit<HalfTask, 'shared'>): Promise<void> {
    const shared = new SharedBatch(SharedBatch.bufferFor(task.examples.length));
    const pool = new WorkerPool<HalfTask | undefined, void>(new URL('./half-worker.js', import.meta.url), 1);
    this.thread = { pool, shared };
    await pool.run({ ...task, shared: shared.buffer });
    // Runs until the thread is terminated, which rejects the promise.
    pool.run(undefined).catch(() => undefined);
  }

  async end(): Promise<void> {
    await this.thread?.pool.end();
  }

  addGradients(batch: readonly number[], position: Position): void {
    this.thread?.shared.begin(batch, position);
    this.first.addGradients(batch, position);
    this.second?.addGradients(batch, position);
  }

  step(step: AdamStep): void {
    const { parameters } = this.first.learner;
    if (this.thread !== undefined) {
      this.thread.shared.adamStep = step;
      this.first.step(this.thread.shared);
      return;
    }
    const ranges = parameters.halves;
    const [first, second] = ranges.map((range) => parameters.mergeGradients(range));
    for (const range of ranges) parameters.stepMerged(range, step, first + second);
  }

  state(): [name: string, values: Float32Array][] {
    return this.first.learner.parameters.state();
  }
}
