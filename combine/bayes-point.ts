import { z } from 'zod';
import type { Parser } from '../parsers/parser.ts';
import { findParadigm, registeredModules } from '../parsers/registry.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import { inOrder } from '../src/threads/scheduling.ts';
import { type TaskContext, type TaskKind, TaskPool } from '../src/threads/worker-pool.ts';
import { otherTraining } from '../src/training/checkpoint-file.ts';
import { type LinearOptions, memberCount, memberName, singleTraining } from '../src/training/options.ts';
import {
  type LinearTraining,
  type SharedTraining,
  shareDone,
  type TrainedMember,
  type TrainingProgress,
  type TrainingRun,
} from '../src/training/training-run.ts';
import type { Treebank } from '../src/treebank/sentence.ts';

/**
 * Trains a Bayes Point Machine: averages the weights of members that are trained on differently shuffled data. This
 * approximates the centre of all weights that separate the data (Herbrich, Graepel & Campbell 2001; for parsing
 * Corston-Oliver, Aue, Duh & Ringger 2006, where each member is an averaged perceptron).
 *
 * Member k has the run's seed + k − 1, and members are summed in order, so that the result does not depend on the
 * number of threads. All threads read the same data in shared memory.
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
  const threads = Math.min(run.jobs, members - sum.members);
  const pool = new TaskPool(threads, run.signal);
  const task = { paradigm: name, shared, modules: registeredModules() };
  /** Progress, from 0 to 1, of each member that is not yet part of the sum, by seed. */
  const shares = new Map<number, number>();
  const trained = async (seed: number) => {
    const member = await pool.run(memberKind, { ...task, seed }, (share) => {
      shares.set(seed, share);
      tell([...shares.values()].reduce((all, one) => all + one, 0));
    });
    return { seed, member };
  };
  try {
    // One task more than threads, so that no thread is idle while a member is added to the sum.
    const seeds = seedsFrom(run.seed + sum.members, run.seed + members);
    for await (const { seed, member } of inOrder(seeds, threads + 1, trained)) {
      shares.delete(seed);
      sum.add(member.weights);
      if (options.keepMembers) keep(memberName(sum.members), linear.fromWeights(shared, member.weights));
      // Before the sum is scored, which may be aborted.
      if (sum.members < members) run.checkpoints?.save((file) => sum.save(file));
      const dev = await linear.score(shared, sum.mean(), run.signal);
      const { training, dev: alone } = member;
      run.onProgress?.({ ...of, epoch: sum.members, done: total, training, member: alone, dev });
    }
  } finally {
    await pool.end();
  }
  return linear.fromWeights(shared, sum.mean());
}

async function* seedsFrom(first: number, end: number): AsyncGenerator<number> {
  for (let seed = first; seed < end; seed++) yield seed;
}

interface MemberTask {
  readonly paradigm: string;
  readonly shared: SharedTraining;
  /** Modules of paradigms from outside this package. */
  readonly modules: readonly string[];
  readonly seed: number;
}

/** Trains a member, in a worker thread or in this one. */
export async function run(
  { paradigm, shared, modules, seed }: MemberTask,
  { signal, onShare }: TaskContext,
): Promise<TrainedMember> {
  const { linear } = await findParadigm(paradigm, modules);
  const onProgress = (progress: TrainingProgress) => onShare(shareDone(progress));
  return linear!.trainMember(shared, { seed, jobs: 1, signal, onProgress });
}

const memberKind: TaskKind<MemberTask, TrainedMember> = {
  module: new URL('./bayes-point.js', import.meta.url),
  run,
};

const headerSchema = z.object({ fingerprint: z.string(), members: z.int(), vectors: z.int() });

/** The sum of the weights of the members so far, which a checkpoint holds. */
export class WeightSum {
  members = 0;
  private sums: Float64Array[] = [];

  /** @param fingerprint identifies data, options and seed; a sum saved with another one is refused */
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
