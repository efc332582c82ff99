import { registeredModules } from '../../parsers/registry.ts';
import { inOrder } from '../../src/threads/scheduling.ts';
import { WorkerPool } from '../../src/threads/worker-pool.ts';
import type { SharedTraining, TrainedMember } from '../../src/training/training-run.ts';
import type { MemberProgress, MemberWorkerData } from './member-worker.ts';

/** Worker threads that train members of one Bayes Point Machine. */
export class MemberPool {
  private readonly pool: WorkerPool<number, TrainedMember>;
  /** By seed, of members at work or not yet given out: how much of each is done, from 0 to 1. */
  private readonly shares = new Map<number, number>();

  /** `onProgress` is told how much of the members not yet given out is done, in members. */
  constructor(
    paradigm: string,
    shared: SharedTraining,
    private readonly threads: number,
    onProgress: (members: number) => void,
  ) {
    const workerData: MemberWorkerData = { paradigm, shared, modules: registeredModules() };
    this.pool = new WorkerPool(new URL('./member-worker.js', import.meta.url), threads, workerData);
    this.pool.onMessage(({ seed, share }: MemberProgress) => {
      // What a thread told last may come after the member itself.
      if (!this.shares.has(seed)) return;
      this.shares.set(seed, share);
      onProgress([...this.shares.values()].reduce((sum, one) => sum + one, 0));
    });
  }

  /** Members with these seeds, in their order. */
  async *train(seeds: readonly number[]): AsyncGenerator<TrainedMember> {
    // One task more than threads, so that none waits while a member is taken in.
    const members = inOrder(asyncOf(seeds), this.threads + 1, async (seed) => {
      this.shares.set(seed, 0);
      return { seed, member: await this.pool.run(seed) };
    });
    for await (const { seed, member } of members) {
      this.shares.delete(seed);
      yield member;
    }
  }

  end(): Promise<void> {
    return this.pool.end();
  }
}

async function* asyncOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
