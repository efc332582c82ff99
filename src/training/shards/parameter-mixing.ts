import { WorkerPool } from '../../threads/worker-pool.ts';
import type { LearnEpoch } from '../epochs.ts';
import { type Position, type StateArrays, StateMixture, type TrainingState } from '../training-state.ts';

/** A shard of an epoch: the examples whose number modulo the number of shards is `number`. */
export interface Shard {
  readonly number: number;
  /** The numbers of all examples of the epoch. */
  readonly order: Int32Array;
  /** The position of the training before the epoch. */
  readonly position: Position;
}

/** Learns one shard at a time, starting from the weights of the whole training. */
export interface ShardLearner {
  /** The state after the last shard. */
  readonly state: TrainingState<string>;
  learn(shard: Shard): Promise<void>;
  end?(): Promise<void>;
}

export interface ShardWorkerData {
  /** The built module that exports the `linear` method. */
  readonly module: string;
  /** The training data, as shared by the method. */
  readonly shared: unknown;
  readonly seed: number;
  /** The weights that every shard starts from, and the thread's own weights. */
  readonly start: StateArrays;
  readonly own: StateArrays;
  /** Number of examples done, by shard. */
  readonly done: Int32Array;
}

/** Learns shards in a thread of its own, whose weights are shared. */
export class ShardThread implements ShardLearner {
  private readonly pool: WorkerPool<Shard, Position>;

  constructor(
    readonly state: TrainingState<string>,
    workerData: Omit<ShardWorkerData, 'own'>,
  ) {
    const data: ShardWorkerData = { ...workerData, own: state.arrays };
    this.pool = new WorkerPool(new URL('./shard-worker.js', import.meta.url), 1, data);
  }

  async learn(shard: Shard): Promise<void> {
    this.state.position = await this.pool.run(shard);
  }

  end(): Promise<void> {
    return this.pool.end();
  }
}

/** Milliseconds between reports of progress. */
const INTERVAL = 100;

/**
 * Learns every epoch in shards that start from the same weights, and mixes their weights. The result does not
 * depend on the number of learners.
 */
export class ParameterMixing {
  private readonly mixture: StateMixture;

  /** @param done number of examples done, by shard; updated by the learners */
  constructor(
    private readonly state: TrainingState<string>,
    private readonly learners: readonly ShardLearner[],
    private readonly done: Int32Array,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.mixture = state.mixture = new StateMixture(state);
  }

  readonly learnEpoch: LearnEpoch = async (order, onDone) => {
    const { state, learners, done, mixture, signal } = this;
    const { position } = state;
    done.fill(0);
    const timer = setInterval(() => onDone(done.reduce((sum, one) => sum + one, 0)), INTERVAL);
    const learnAll = async (learner: ShardLearner, first: number) => {
      // A learner always gets the same shards, so that it can keep data of their sentences between epochs.
      for (let number = first; number < done.length; number += learners.length) {
        await learner.learn({ number, order, position });
        mixture.add(learner.state);
      }
    };
    const stop = () => void this.end();
    signal?.addEventListener('abort', stop);
    try {
      await Promise.all(learners.map(learnAll));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      clearInterval(timer);
    }
    mixture.replace();
  };

  async end(): Promise<void> {
    await Promise.all(this.learners.map((learner) => learner.end?.()));
  }
}
