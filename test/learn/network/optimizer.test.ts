import { describe, expect, test } from 'vitest';
import { NetworkMemory } from '../../../src/learn/network/memory.ts';
import { Parameters, weightCount } from '../../../src/learn/network/parameters.ts';
import { learningRate, NetworkTraining } from '../../../src/learn/network/training.ts';
import { Random } from '../../../src/learn/random.ts';
import { expectClose } from '../../support/close.ts';

const RATE = 0.01;
/** Far above all norms in these tests. */
const NO_CLIPPING = 1e9;

/** Four weights, all zero. */
function fourWeights(): Parameters {
  const shapes = [{ name: 'w', rows: 1, columns: 4 }];
  return new Parameters(new NetworkMemory(4 * weightCount(shapes)), shapes, true);
}

/** Takes one step with these gradients; returns the weights after it. */
function stepOf(parameters: Parameters, step: number, gradients: number[], scale = 1, most = NO_CLIPPING) {
  parameters.gradients!.values.set(gradients);
  parameters.step({ number: step, scale, rate: RATE, maxNorm: most });
  return [...parameters.weights.values];
}

/** Adam as Kingma & Ba (2015, algorithm 1) write it, in 64 bits. */
function plainAdam(steps: readonly number[][]): number[] {
  const [weights, first, second] = [0, 0, 0].map(() => [0, 0, 0, 0]);
  for (const [t, gradients] of steps.entries()) {
    for (const [i, g] of gradients.entries()) {
      first[i] = 0.9 * first[i] + 0.1 * g;
      second[i] = 0.95 * second[i] + 0.05 * g * g;
      const mean = first[i] / (1 - 0.9 ** (t + 1));
      const square = second[i] / (1 - 0.95 ** (t + 1));
      weights[i] -= (RATE * mean) / (Math.sqrt(square) + 1e-8);
    }
  }
  return weights;
}

describe('a step of Adam', () => {
  test('has the size of the learning rate at first, for gradients of any size: both moments are corrected', () => {
    expectClose(stepOf(fourWeights(), 1, [1, -1, 0.001, -100]), [-RATE, RATE, -RATE, RATE], 6);
  });

  test('is half the learning rate if the gradient is as small as epsilon, and zero if the gradient is zero', () => {
    const [tiny, zero] = stepOf(fourWeights(), 1, [1e-8, 0, 0, 0]);
    expect(tiny).toBeCloseTo(-RATE / 2, 5);
    expect(zero).toBe(0);
  });

  test('follows the algorithm of the paper over many steps', () => {
    const random = new Random(5);
    const steps = Array.from({ length: 40 }, () =>
      [1, 10, 0.1, 1e-7].map((size) => size * (random.uniform() - 0.3)),
    );
    const parameters = fourWeights();
    let weights: number[] = [];
    for (const [t, gradients] of steps.entries()) weights = stepOf(parameters, t + 1, gradients);
    expectClose(weights, plainAdam(steps), 6);
  });
});

describe('gradient clipping', () => {
  /** The gradients that a step used: ten times the first moments after it. */
  function usedGradients(gradients: number[], scale: number, most: number): number[] {
    const parameters = fourWeights();
    stepOf(parameters, 1, gradients, scale, most);
    return [...parameters.moments![0].values].map((moment) => 10 * moment);
  }

  test('shortens gradients with a norm above the bound to the bound, and keeps their direction', () => {
    // The norm of (3, 4, 0, 12) is 13, half of it 6.5.
    expectClose(usedGradients([3, 4, 0, 12], 0.5, 2.6), [0.6, 0.8, 0, 2.4], 5);
  });

  test('only scales gradients with a norm below the bound', () => {
    expectClose(usedGradients([3, 4, 0, 12], 0.5, 6.6), [1.5, 2, 0, 6], 5);
  });
});

describe('the training of a network', () => {
  /** Trains four weights on three sentences of three tokens, with gradients of `size` per token. */
  function train(epochs: number, size: number, until = epochs): Parameters {
    const parameters = fourWeights();
    const lengths = [3, 3, 3];
    const training = new NetworkTraining({
      parameters,
      schedule: { batch: 5, epochs },
      rate: RATE,
      lengths,
      addGradients: (batch) => {
        const tokens = batch.reduce((sum, index) => sum + lengths[index], 0);
        parameters.gradients!.values.fill(size * tokens);
      },
    });
    for (let epoch = 1; epoch <= until; epoch++) {
      for (let done = 0; done < lengths.length; done++) training.learn(done, { epoch, done });
    }
    return parameters;
  }

  test('has a learning rate that falls linearly to zero', () => {
    expect(learningRate(0.1, 4, { epoch: 1, done: 0 }, 10)).toBe(0.1);
    expect(learningRate(0.1, 4, { epoch: 3, done: 5 }, 10)).toBeCloseTo(0.0375, 12);
    expect(learningRate(0.1, 4, { epoch: 4, done: 9 }, 10)).toBeCloseTo(0.0025, 12);
    expect(learningRate(0.1, 4, { epoch: 5, done: 0 }, 10)).toBe(0);
  });

  test('takes a step after a full batch and at the end of an epoch, at the current learning rate', () => {
    // With equal gradients, each step has the size of the current rate: 5/6, 4/6, 2/6 and 1/6 of the initial one.
    expectClose([...train(2, 1).weights.values], new Array(4).fill(-2 * RATE), 6);
    expectClose([...train(2, 1, 1).weights.values], new Array(4).fill(-1.5 * RATE), 6);
  });

  test('divides gradients by the number of tokens of the batch, and clips their norm at 5', () => {
    // After two steps with equal gradients the first moments are 1 − 0.9² = 0.19 of these.
    const used = (size: number) => train(1, size).moments![0].values[0] / 0.19;
    expect(used(2)).toBeCloseTo(2, 4);
    expect(used(100)).toBeCloseTo(2.5, 4);
  });
});
