import { Piscina } from 'piscina';
import { inOrder } from '../../parsers/in-order.ts';
import type { SharedTraining, TrainedMember } from '../../parsers/parser.ts';
import type { MemberProgress, MemberWorkerData } from './member-worker.ts';

/** Worker threads that train members of one Bayes Point Machine. */
export class MemberPool {
  private readonly pool: Piscina;
  /** By seed: how much of a member is done, from 0 to 1. */
  private readonly shares = new Map<number, number>();

  /** `onProgress` is told how much of the members not yet given out is done, in members. */
  constructor(
    paradigm: string,
    shared: SharedTraining,
    private readonly threads: number,
    onProgress: (members: number) => void,
  ) {
    const workerData: MemberWorkerData = { paradigm, shared };
    const filename = new URL('./member-worker.js', import.meta.url).href;
    this.pool = new Piscina({ filename, minThreads: threads, maxThreads: threads, workerData });
    this.pool.on('message', ({ seed, share }: MemberProgress) => {
      this.shares.set(seed, share);
      onProgress([...this.shares.values()].reduce((sum, one) => sum + one, 0));
    });
  }

  /** Members with these seeds, in their order. */
  async *train(seeds: readonly number[]): AsyncGenerator<TrainedMember> {
    // One task more than threads, so that none waits while a member is taken in.
    const members = inOrder(asyncOf(seeds), this.threads + 1, async (seed) => {
      const member: TrainedMember = await this.pool.run(seed);
      return { seed, member };
    });
    for await (const { seed, member } of members) {
      this.shares.delete(seed);
      yield member;
    }
  }

  destroy(): Promise<void> {
    return this.pool.destroy();
  }
}

async function* asyncOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
