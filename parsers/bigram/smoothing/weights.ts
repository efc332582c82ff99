import { Random } from '../../../src/learn/random.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { Phases } from '../phases.ts';
import { type Choices, COUNT_CLASSES, type Counts, holdOut } from './held-out.ts';

const PASSES = 8;
const RATE = 0.1;
const START = 0.5;

/** The weights that the patterns of counts earn where part of the data is held out. */
export async function weigh(
  counts: Counts,
  patterns: number,
  examples: readonly Example[],
  seed: number,
  phases: Phases,
): Promise<Float64Array> {
  return await learnWeights(await holdOut(counts, patterns, examples, phases), seed, phases);
}

/**
 * How far the gains of each pattern can be trusted, by the class of the count that it rests on. These are the
 * weights of a logarithmic opinion pool (Genest & Zidek 1986) under which the right choices on held-out data
 * are most likely. Weight [k * COUNT_CLASSES + class] is that of pattern k. Stochastic gradient descent with
 * steps by AdaGrad (Duchi, Hazan & Singer 2011); the mean over the second half of the passes.
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
  private readonly probabilities: Float64Array;

  constructor(private readonly heldOut: Choices) {
    const size = heldOut.patterns * COUNT_CLASSES;
    this.weights = new Float64Array(size).fill(START);
    this.gradient = new Float64Array(size);
    this.squares = new Float64Array(size).fill(1e-8);
    const { first } = heldOut;
    const longest = first.reduce((most, at, i) => Math.max(most, i === 0 ? 0 : at - first[i - 1]), 0);
    this.probabilities = new Float64Array(longest);
  }

  /** One step up the likelihood of the right one in choice i. */
  learnFrom(i: number): void {
    const { weights, gradient, squares, probabilities } = this;
    const { first, gold } = this.heldOut;
    const begin = first[i];
    const count = first[i + 1] - begin;
    this.fillProbabilities(begin, count);
    gradient.fill(0);
    for (let c = 0; c < count; c++)
      this.addGradient(begin + c, probabilities[c] - (begin + c === gold[i] ? 1 : 0));
    for (let j = 0; j < weights.length; j++) {
      if (gradient[j] === 0) continue;
      squares[j] += gradient[j] * gradient[j];
      weights[j] -= (RATE * gradient[j]) / Math.sqrt(squares[j]);
    }
  }

  private fillProbabilities(begin: number, count: number): void {
    const { probabilities } = this;
    let highest = -Infinity;
    for (let c = 0; c < count; c++) {
      probabilities[c] = this.score(begin + c);
      if (probabilities[c] > highest) highest = probabilities[c];
    }
    let sum = 0;
    for (let c = 0; c < count; c++) {
      probabilities[c] = Math.exp(probabilities[c] - highest);
      sum += probabilities[c];
    }
    for (let c = 0; c < count; c++) probabilities[c] /= sum;
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
