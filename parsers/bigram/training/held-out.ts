import { logarithm } from '../../../src/learn/exponential.ts';
import { crossEntropy } from '../../../src/learn/network/training.ts';
import { Random } from '../../../src/learn/random.ts';
import { Turns } from '../../../src/threads/scheduling.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';

/** A training in phases, which yields to the event loop, reports progress, and stops on abort. */
export class Phases {
  private readonly turns: Turns;
  private phase = -1;
  private passes = 1;
  private pass = 0;

  /** @param total training sentences; each phase counts as an equal share of them */
  constructor(
    private readonly run: TrainingRun,
    private readonly phases: number,
    private readonly total: number,
  ) {
    this.turns = new Turns(run.signal);
  }

  /** Begins the next phase, of this many calls of `forEach`. */
  async begin(passes = 1): Promise<void> {
    this.phase++;
    this.passes = passes;
    this.pass = 0;
    this.report(0);
    await this.turns.give();
  }

  async forEach<T>(items: ArrayLike<T>, work: (item: T, i: number) => void): Promise<void> {
    await this.turns.forEach(items, work, (done) => this.report(done / items.length));
    this.pass++;
  }

  private report(share: number): void {
    const { run, phase, phases, pass, passes, total } = this;
    const done = Math.floor((total * (phase + (pass + share) / passes)) / phases);
    run.onProgress?.({ epoch: 1, epochs: 1, done, total });
  }
}

/** Folds consist of blocks of neighbouring sentences, so that most texts are in one fold. */
const FOLDS = 10;
const BLOCK = 20;
/** Limits on held-out choices: enough to learn the weights, and few enough for memory. */
const MOST_CHOICES = 40_000;
const MOST_CANDIDATES = 800_000;

/**
 * Held-out choices among candidates (heads of a token, or labels of an arc).
 * - `gains`: candidates × patterns, the gain of each pattern over its backoff;
 * - `classes`: candidates × patterns, the class of the count behind the gain.
 */
export interface Choices {
  readonly patterns: number;
  readonly gains: Float32Array;
  readonly classes: Uint8Array;
  /** Candidates of choice i: first[i] to first[i + 1] − 1; gold[i] is the correct one. */
  readonly first: Int32Array;
  readonly gold: Int32Array;
}

export const COUNT_CLASSES = 5;

/** Returns the class of a count: 1, 2–3, 4–11, 12–59, more. Estimates of a class share a weight. */
export function countClass(pairs: number): number {
  return pairs < 2 ? 0 : pairs < 4 ? 1 : pairs < 12 ? 2 : pairs < 60 ? 3 : 4;
}

/** Log odds, finite for a probability of 1. */
export const logOdds = (probability: number): number => logarithm(probability / (1 - probability + 1e-4));

/** Counts from which sentences can be held out. */
export interface Counts {
  /** Removes a sentence's counts (`by` −1) or adds them (1). */
  change(example: Example, by: 1 | -1): void;
  /** Adds the choices in a sentence, with gains by the current counts. */
  read(example: Example, into: ChoiceCollector): void;
}

/** Collects the choices in each fold by the counts of the other folds (deleted estimation, Jelinek & Mercer 1980). */
export async function holdOut(
  counts: Counts,
  patterns: number,
  examples: readonly Example[],
  phases: Phases,
): Promise<Choices> {
  const collector = new ChoiceCollector(patterns);
  await phases.begin(3 * FOLDS);
  for (let fold = 0; fold < FOLDS && !collector.isFull; fold++) {
    const part = examples.filter((_, i) => Math.floor(i / BLOCK) % FOLDS === fold);
    await phases.forEach(part, (example) => counts.change(example, -1));
    await phases.forEach(part, (example) => collector.isFull || counts.read(example, collector));
    await phases.forEach(part, (example) => counts.change(example, 1));
  }
  return collector.collected();
}

export class ChoiceCollector {
  isFull = false;
  /** Allocated for the maximum: untouched pages use no physical memory. */
  private readonly gains: Float32Array;
  private readonly classes: Uint8Array;
  private readonly first = [0];
  private readonly gold: number[] = [];

  constructor(private readonly patterns: number) {
    this.gains = new Float32Array(MOST_CANDIDATES * patterns);
    this.classes = new Uint8Array(MOST_CANDIDATES * patterns);
  }

  private get candidates(): number {
    return this.first[this.first.length - 1];
  }

  add(gains: Float32Array, classes: Uint8Array, count: number, gold: number): void {
    const { patterns, candidates } = this;
    this.isFull ||= this.gold.length === MOST_CHOICES || candidates + count > MOST_CANDIDATES;
    if (this.isFull) return;
    this.gains.set(gains.subarray(0, count * patterns), candidates * patterns);
    this.classes.set(classes.subarray(0, count * patterns), candidates * patterns);
    this.gold.push(candidates + gold);
    this.first.push(candidates + count);
  }

  collected(): Choices {
    const { patterns, gains, classes, candidates } = this;
    return {
      patterns,
      gains: gains.subarray(0, candidates * patterns),
      classes: classes.subarray(0, candidates * patterns),
      first: Int32Array.from(this.first),
      gold: Int32Array.from(this.gold),
    };
  }
}

const PASSES = 8;
const RATE = 0.1;
const START = 0.5;

/**
 * Learns the weights (patterns × COUNT_CLASSES) of a logarithmic opinion pool (Genest & Zidek 1986) by
 * likelihood: AdaGrad (Duchi, Hazan & Singer 2011), averaged over the second half of the passes.
 */
export async function learnWeights(heldOut: Choices, seed: number, phases: Phases): Promise<Float64Array> {
  const { gold } = heldOut;
  const learner = new WeightLearner(heldOut);
  const random = new Random(seed);
  const order = Int32Array.from(gold, (_, i) => i);
  const sum = new Float64Array(learner.weights.length);
  await phases.begin(PASSES);
  for (let pass = 0; pass < PASSES; pass++) {
    random.shuffle(order);
    await phases.forEach(order, (i) => {
      learner.learnFrom(i);
      if (2 * pass >= PASSES) for (let j = 0; j < sum.length; j++) sum[j] += learner.weights[j];
    });
  }
  const steps = (PASSES / 2) * gold.length;
  return steps === 0 ? learner.weights : sum.map((total) => total / steps);
}

class WeightLearner {
  readonly weights: Float64Array;
  private readonly gradient: Float64Array;
  private readonly squares: Float64Array;
  /** By candidate: its score, then its probability, minus 1 if it is the correct one. */
  private readonly errors: Float64Array;

  constructor(private readonly heldOut: Choices) {
    const size = heldOut.patterns * COUNT_CLASSES;
    this.weights = new Float64Array(size).fill(START);
    this.gradient = new Float64Array(size);
    this.squares = new Float64Array(size).fill(1e-8);
    const { first } = heldOut;
    const longest = first.reduce((most, at, i) => Math.max(most, i === 0 ? 0 : at - first[i - 1]), 0);
    this.errors = new Float64Array(longest);
  }

  learnFrom(i: number): void {
    const { weights, gradient, squares, errors } = this;
    const { first, gold } = this.heldOut;
    const begin = first[i];
    const count = first[i + 1] - begin;
    for (let c = 0; c < count; c++) errors[c] = this.score(begin + c);
    crossEntropy(errors, errors, 0, count, gold[i] - begin);
    gradient.fill(0);
    for (let c = 0; c < count; c++) this.addGradient(begin + c, errors[c]);
    for (let j = 0; j < weights.length; j++) {
      if (gradient[j] === 0) continue;
      squares[j] += gradient[j] * gradient[j];
      weights[j] -= (RATE * gradient[j]) / Math.sqrt(squares[j]);
    }
  }

  private score(pair: number): number {
    const { patterns, gains, classes } = this.heldOut;
    const at = pair * patterns;
    let score = 0;
    for (let k = 0; k < patterns; k++)
      score += this.weights[k * COUNT_CLASSES + classes[at + k]] * gains[at + k];
    return score;
  }

  private addGradient(pair: number, error: number): void {
    const { patterns, gains, classes } = this.heldOut;
    if (Math.abs(error) < 1e-4) return;
    const at = pair * patterns;
    for (let k = 0; k < patterns; k++)
      this.gradient[k * COUNT_CLASSES + classes[at + k]] += error * gains[at + k];
  }
}
