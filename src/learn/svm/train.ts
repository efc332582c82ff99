import { UsageError } from '../../errors.ts';
import { yieldToEvents } from '../../threads/scheduling.ts';
import { type ExampleReader, type Examples, plainReader } from './examples.ts';
import type { LinearSvm, SvmOptions } from './linear-model.ts';
import { DEFAULT_COST, DEFAULT_EPSILON, MOST_WEIGHTS } from './linear-model.ts';
import { columnsOf, type SvmMulticlass, separatePairs } from './multiclass.ts';
import { type PolynomialDegree, PolynomialFeatures } from './polynomial-features.ts';
import { CrammerSinger } from './solvers/crammer-singer.ts';
import { OneVsRest } from './solvers/one-vs-rest.ts';
import type { Solver } from './solvers/solver.ts';

/** Examples learnt from before the event loop gets a turn and the signal is checked. */
const EXAMPLES_A_TURN = 8192;

/** Trains on the examples of a reader; `size`: rows of the weights without the bias. */
async function trainSvm(reader: ExampleReader, size: number, options: SvmOptions): Promise<LinearSvm> {
  const { classes, maxPasses = 1000, signal } = options;
  checkOptions(reader, options);
  checkRange(reader.targets.subarray(0, reader.count), classes, 'targets');
  const solver = createSolver(reader, options);
  let passes = 0;
  while (!solver.isDone && passes < maxPasses) {
    solver.beginPass();
    for (let at = 0; at >= 0; ) {
      at = solver.learn(at, EXAMPLES_A_TURN);
      await yieldToEvents(signal);
    }
    const violation = solver.endPass();
    passes++;
    options.onPass?.({ pass: passes, active: solver.active, violation });
  }
  const { bias, multiclass } = options;
  return {
    classes,
    size,
    bias,
    weights: solver.weights,
    ...(multiclass === 'pairwise' && { multiclass }),
    objective: solver.objective(),
    passes,
    converged: solver.isDone,
  };
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
  if (multiclass === 'pairwise') separatePairs(reader, options.classes);
  return new OneVsRest(reader, common, loss);
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
function checkRange(numbers: Int32Array, bound: number, what: string): void {
  for (const number of numbers) {
    if (number < 0 || number >= bound)
      throw new UsageError(`${what} must be from 0 to ${bound - 1}, found ${number}`);
  }
}

/**
 * Trains over features numbered from 0 to size − 1. The same examples, options and seed give the same weights.
 *
 * Throws `UsageError` for options out of range and for targets or features beyond `classes` and `size`, and the reason
 * of `signal` when aborted.
 */
export async function trainLinearSvm(
  examples: Examples,
  options: SvmOptions & { readonly size: number },
): Promise<LinearSvm> {
  const { size, bias } = options;
  const features = examples.features.subarray(0, examples.offsets[examples.count]);
  checkRange(features, size, 'features');
  return await trainSvm(plainReader(examples, size, columnsOf(options), bias), size, options);
}

/** Presents examples as the hashed subsets of their features. */
function polynomialReader(
  { count, targets, offsets, features }: Examples,
  classes: number,
  degree: PolynomialDegree,
  bits: number,
): ExampleReader {
  const expansion = new PolynomialFeatures(degree, bits, classes);
  return {
    count,
    targets,
    size: classes * 2 ** bits,
    classes,
    get starts() {
      return expansion.indices;
    },
    get values() {
      return expansion.values;
    },
    read: (i) => expansion.expand(features, offsets[i + 1] - offsets[i], offsets[i]),
  };
}

/**
 * Trains a machine with the kernel (x·x′ + 1)^d as a linear one over hashed subsets of features. The model has 2^bits
 * rows; time and memory grow linearly with the number of examples. The constant in the kernel serves as bias. The
 * features of an example must be all different, with the value 1.
 *
 * Throws as `trainLinearSvm` does.
 */
export async function trainPolynomialSvm(
  examples: Examples,
  options: SvmOptions & { readonly degree: PolynomialDegree; readonly bits: number },
): Promise<LinearSvm> {
  const { degree, bits } = options;
  const reader = polynomialReader(examples, columnsOf(options), degree, bits);
  return await trainSvm(reader, 2 ** bits, options);
}

/**
 * Examples of `width` rows each, which may overlap and which `readRows` writes on demand; each with allowed
 * classes.
 */
export class RowExamples {
  private readonly targets: number[] = [];
  /** Bit sets of classes (`ExampleReader.allowed`). */
  private readonly allowed: number[] = [];
  private readonly words: number;

  constructor(
    readonly classes: number,
    private readonly width: number,
    private readonly readRows: (i: number, rows: Int32Array) => void,
  ) {
    this.words = Math.ceil(classes / 32);
  }

  add(target: number, classes: Iterable<number>): void {
    const { allowed, words } = this;
    const at = allowed.length;
    for (let word = 0; word < words; word++) allowed.push(0);
    for (const c of classes) allowed[at + (c >> 5)] |= 1 << (c & 31);
    this.targets.push(target);
  }

  reader(size: number): ExampleReader {
    const { classes, width, readRows } = this;
    const starts = new Int32Array(width);
    return {
      count: this.targets.length,
      targets: Int32Array.from(this.targets),
      size,
      classes,
      allowed: Int32Array.from(this.allowed),
      starts,
      values: new Float32Array(width).fill(1),
      read(i) {
        readRows(i, starts);
        return width;
      },
    };
  }
}

/**
 * Trains over `size` weights with overlapping rows, as in a hash kernel: the problems of classes interact where hashes
 * collide.
 *
 * Throws `UsageError` for options out of range, for targets beyond the classes, and for a row outside the weights, and
 * the reason of `signal` when aborted.
 */
export async function trainRowSvm(
  rows: RowExamples,
  options: Omit<SvmOptions, 'classes' | 'bias' | 'multiclass'> & {
    readonly size: number;
    readonly multiclass?: Exclude<SvmMulticlass, 'pairwise'> | undefined;
  },
): Promise<LinearSvm> {
  const { size, ...rest } = options;
  const { classes } = rows;
  const reader = rows.reader(size);
  for (let i = 0; i < reader.count; i++) {
    reader.read(i);
    checkRange(reader.starts, size - classes + 1, 'rows');
  }
  return await trainSvm(reader, size, { ...rest, classes });
}
