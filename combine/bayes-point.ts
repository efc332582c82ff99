import { z } from 'zod';
import type { Parser } from '../parsers/parser.ts';
import { registeredModules } from '../parsers/registry.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import { inOrder } from '../src/threads/scheduling.ts';
import { WorkerPool } from '../src/threads/worker-pool.ts';
import { otherTraining } from '../src/training/checkpoint-file.ts';
import { type LinearOptions, memberCount, memberName, singleTraining } from '../src/training/options.ts';
import type {
  LinearTraining,
  SharedTraining,
  TrainedMember,
  TrainingRun,
} from '../src/training/training-run.ts';
import type { Treebank } from '../src/treebank/sentence.ts';
import type { MemberProgress, MemberWorkerData } from './bayes-point-worker.ts';

/**
 * Trains a Bayes Point Machine: members trained on differently shuffled data, each in a worker thread over the same
 * data in shared memory, whose weights are averaged. This approximates the centre of all weights that separate the
 * data (Herbrich, Graepel & Campbell 2001; for parsing Corston-Oliver, Aue, Duh & Ringger 2006, where each member is
 * itself an averaged perceptron).
 *
 * Member k has the run's seed + k − 1, and members are summed in order, so that the result does not depend on the
 * number of threads.
 */
export async function trainBayesPoint<Options extends LinearOptions>(
  { name, linear }: { readonly name: string; readonly linear: LinearTraining<Options, Parser> },
  treebank: Treebank,
  options: Options,
  run: TrainingRun,
  keep: (name: string, parser: Parser) => void,
): Promise<Parser> {
  const members = memberCount(options);
  const shared = await linear.share(treebank, singleTraining(options), run);
  run.signal?.throwIfAborted();
  const sum = new WeightSum(`${shared.fingerprint}, ${members} members from seed ${run.seed}`);
  const saved = run.checkpoints?.load();
  if (saved !== undefined) sum.restore(saved);
  const { sentences: total, mayEndEarly } = shared;
  const of = { unit: 'member', epochs: members, total, mayEndEarly } as const;
  const tell = (done: number) =>
    run.onProgress?.({ ...of, epoch: sum.members + 1, done: Math.round(total * done) });
  const pool = new MemberPool(name, shared, Math.min(run.jobs, members - sum.members), tell);
  const stop = () => void pool.end();
  run.signal?.addEventListener('abort', stop);
  try {
    const seeds = Array.from({ length: members - sum.members }, (_, k) => run.seed + sum.members + k);
    for await (const member of pool.train(seeds)) {
      sum.add(member.weights);
      if (options.keepMembers) keep(memberName(sum.members), linear.fromWeights(shared, member.weights));
      const dev = await linear.score(shared, sum.mean());
      const { training, dev: alone } = member;
      run.onProgress?.({ ...of, epoch: sum.members, done: total, training, member: alone, dev });
      if (sum.members < members) run.checkpoints?.save((file) => sum.save(file));
    }
  } catch (error) {
    run.signal?.throwIfAborted();
    throw error;
  } finally {
    run.signal?.removeEventListener('abort', stop);
    await pool.end();
  }
  return linear.fromWeights(shared, sum.mean());
}

const headerSchema = z.object({ fingerprint: z.string(), members: z.int(), vectors: z.int() });

export class WeightSum {
  members = 0;
  private sums: Float64Array[] = [];

  /** @param fingerprint of data, options and seed: a saved sum fits no other training */
  constructor(private readonly fingerprint: string) {}

  add(weights: readonly Float32Array[]): void {
    if (this.members === 0) this.sums = weights.map((vector) => new Float64Array(vector.length));
    this.members++;
    for (const [v, vector] of weights.entries()) {
      const sum = this.sums[v];
      for (let i = 0; i < vector.length; i++) sum[i] += vector[i];
    }
  }

  mean(): Float32Array[] {
    return this.sums.map((sum) => {
      const mean = new Float32Array(sum.length);
      for (let i = 0; i < sum.length; i++) mean[i] = sum[i] / this.members;
      return mean;
    });
  }

  save(file: ModelWriter): void {
    const { fingerprint, members } = this;
    file.header.bayesPoint = { fingerprint, members, vectors: this.sums.length };
    for (const [v, sum] of this.sums.entries()) file.section(`sum.${v}`, sum);
  }

  /** Resumes from a saved sum; throws `UsageError` if it belongs to another training. */
  restore(file: ModelReader): void {
    if (!file.has('sum.0')) throw otherTraining(file);
    const header = file.field('bayesPoint', headerSchema);
    if (header.fingerprint !== this.fingerprint) throw otherTraining(file);
    this.members = header.members;
    this.sums = Array.from({ length: header.vectors }, (_, v) => file.section(`sum.${v}`, 'float64').slice());
  }
}

class MemberPool {
  private readonly pool: WorkerPool<number, TrainedMember>;
  /** Progress, from 0 to 1, of each member that is not yet yielded, by seed. */
  private readonly shares = new Map<number, number>();

  /** @param onProgress takes the sum of the progress of these members */
  constructor(
    paradigm: string,
    shared: SharedTraining,
    private readonly threads: number,
    onProgress: (members: number) => void,
  ) {
    const workerData: MemberWorkerData = { paradigm, shared, modules: registeredModules() };
    this.pool = new WorkerPool(new URL('./bayes-point-worker.js', import.meta.url), threads, workerData);
    this.pool.onMessage(({ seed, share }: MemberProgress) => {
      // A thread's last message may arrive after its member.
      if (!this.shares.has(seed)) return;
      this.shares.set(seed, share);
      onProgress([...this.shares.values()].reduce((sum, one) => sum + one, 0));
    });
  }

  async *train(seeds: readonly number[]): AsyncGenerator<TrainedMember> {
    // One more task than threads, so that no thread waits while a member is added up.
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
