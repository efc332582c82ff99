import { UsageError } from '../../errors.ts';
import { giveWay } from '../../threads/turns.ts';
import type { ExampleReader } from './example-reader.ts';
import { type LinearSvm, MOST_WEIGHTS } from './linear-model.ts';
import { DEFAULT_COST, DEFAULT_EPSILON, type SvmOptions } from './options.ts';
import { PairReader } from './pairs.ts';
import { CrammerSinger } from './solvers/crammer-singer.ts';
import { OneVsRest } from './solvers/one-vs-rest.ts';
import type { Solver } from './solvers/solver.ts';

/** Examples visited before anything else, a signal among it, has its turn. */
const VISITS_A_TURN = 8192;

/** Trains on whatever examples a reader gives; `size` is the rows of the weights without the bias. */
export async function trainSvm(reader: ExampleReader, size: number, options: SvmOptions): Promise<LinearSvm> {
  const { classes, maxPasses = 1000, signal } = options;
  checkOptions(reader, options);
  checkRange(reader.targets.subarray(0, reader.count), classes, 'targets');
  const solver = createSolver(reader, options);
  let passes = 0;
  while (!solver.isDone && passes < maxPasses) {
    solver.beginPass();
    for (let at = 0; at >= 0; ) {
      at = solver.visit(at, VISITS_A_TURN);
      await giveWay(signal);
    }
    const violation = solver.endPass();
    passes++;
    options.onPass?.({ pass: passes, active: solver.active, violation });
  }
  const { weights, isDone: converged } = solver;
  const { bias, multiclass } = options;
  const model = { classes, size, bias, weights, ...(multiclass === 'pairwise' && { multiclass }) };
  return { ...model, objective: solver.objective(), passes, converged };
}

function createSolver(reader: ExampleReader, options: SvmOptions): Solver {
  const {
    multiclass = 'one-vs-rest',
    loss = 'l2',
    cost = DEFAULT_COST,
    epsilon = DEFAULT_EPSILON,
    shrinking = true,
    seed = 1,
  } = options;
  const common = { cost, epsilon, shrinking, seed };
  if (multiclass === 'crammer-singer') return new CrammerSinger(reader, common);
  const problems = multiclass === 'pairwise' ? new PairReader(reader, options.classes) : reader;
  return new OneVsRest(problems, common, loss);
}

function checkOptions(reader: ExampleReader, options: SvmOptions): void {
  const { classes, cost = DEFAULT_COST, epsilon = DEFAULT_EPSILON, bias = 0 } = options;
  if (!(cost > 0)) throw new UsageError(`cost must be above 0, found ${cost}`);
  if (!(epsilon > 0)) throw new UsageError(`epsilon must be above 0, found ${epsilon}`);
  if (!(bias >= 0)) throw new UsageError(`bias must be 0 or more, found ${bias}`);
  if (!(classes >= 2)) throw new UsageError(`there must be at least 2 classes, found ${classes}`);
  if (reader.size > MOST_WEIGHTS)
    throw new UsageError(`${reader.size / reader.classes} features of ${classes} classes are too many`);
}

/** Throws `UsageError` unless all numbers are from 0 to bound − 1. */
export function checkRange(numbers: Int32Array, bound: number, what: string): void {
  for (const number of numbers) {
    if (number < 0 || number >= bound)
      throw new UsageError(`${what} must be from 0 to ${bound - 1}, found ${number}`);
  }
}
