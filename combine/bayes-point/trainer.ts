import type { Parser } from '../../parsers/parser.ts';
import { type LinearOptions, memberCount, memberName, singleTraining } from '../../src/training/options.ts';
import type { LinearTraining, TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { MemberPool } from './member-pool.ts';
import { WeightSum } from './weight-sum.ts';

/** A paradigm whose parsers are vectors of weights. */
interface LinearParadigm<Options> {
  readonly name: string;
  readonly linear: LinearTraining<Options, Parser>;
}

/**
 * Trains members on differently shuffled data, each in a worker thread over the same data in shared memory,
 * and averages their weights. That approximates the centre of all weights that separate the data (Herbrich,
 * Graepel & Campbell 2001; for parsing Corston-Oliver, Aue, Duh & Ringger 2006, where each member is itself
 * an averaged perceptron).
 *
 * Member k has the seed of the run plus k − 1, and members are added up in their order, so that the point
 * does not depend on the number of threads.
 */
export async function trainBayesPoint<Options extends LinearOptions>(
  { name, linear }: LinearParadigm<Options>,
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
