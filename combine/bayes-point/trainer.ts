import type { LinearParadigm, Parser, TrainingRun } from '../../parsers/parser.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { MemberPool } from './member-pool.ts';
import { WeightSum } from './weight-sum.ts';

export interface BayesPointOptions {
  readonly members: number;
  /** Hands every member to the run as a parser of its own. */
  readonly keepMembers: boolean;
}

/**
 * Trains members on differently shuffled data, each in a worker thread over the same data in shared memory,
 * and averages their weights: an approximation of the centre of all weights that separate the data (Herbrich,
 * Graepel & Campbell 2001; for parsing Corston-Oliver, Aue, Duh & Ringger 2006, where each member is itself
 * an averaged perceptron).
 *
 * Member k has the seed of the run plus k − 1, and members are added up in their order, so that the point
 * does not depend on the number of threads.
 */
export async function trainBayesPoint<Options>(
  paradigm: LinearParadigm<Options>,
  treebank: Treebank,
  options: Options,
  { members, keepMembers }: BayesPointOptions,
  run: TrainingRun,
): Promise<Parser> {
  const shared = await paradigm.share(treebank, options, run);
  run.signal?.throwIfAborted();
  const sum = new WeightSum(`${shared.fingerprint}, ${members} members from seed ${run.seed}`);
  const saved = run.checkpoints?.load();
  if (saved !== undefined) sum.restore(saved);
  const tell = (done: number) =>
    run.onProgress?.({
      unit: 'member',
      epoch: sum.members + 1,
      epochs: members,
      done: Math.round(shared.sentences * done),
      total: shared.sentences,
    });
  const pool = new MemberPool(paradigm.name, shared, Math.min(run.jobs, members - sum.members), tell);
  const stop = () => void pool.end();
  run.signal?.addEventListener('abort', stop);
  try {
    const seeds = Array.from({ length: members - sum.members }, (_, k) => run.seed + sum.members + k);
    for await (const member of pool.train(seeds)) {
      sum.add(member.weights);
      if (keepMembers) run.onParser?.(`member-${sum.members}`, paradigm.fromWeights(shared, member.weights));
      const dev = paradigm.score(shared, sum.mean());
      const of = {
        unit: 'member',
        epoch: sum.members,
        epochs: members,
        done: shared.sentences,
        total: shared.sentences,
      } as const;
      run.onProgress?.({ ...of, training: member.training, member: member.dev, dev });
      if (sum.members < members) run.checkpoints?.save((file) => sum.save(file));
    }
  } catch (error) {
    run.signal?.throwIfAborted();
    throw error;
  } finally {
    run.signal?.removeEventListener('abort', stop);
    await pool.end();
  }
  return paradigm.fromWeights(shared, sum.mean());
}
