import { describe, expect, test } from 'vitest';
import { learners } from '../../../src/learn/linear/learner.ts';

/** A difference with this squared norm. */
const difference = (norm: number) => ({ squaredNorm: () => norm });

describe('a perceptron', () => {
  test.each(['perceptron', 'averaged-perceptron'] as const)(
    '(%s) takes steps of 1 and has no cost',
    (name) => {
      const { cost, step } = learners[name];
      expect(cost).toBe(0);
      for (const violation of [-2, 0, 1, 700]) expect(step(violation, difference(5))).toBe(1);
    },
  );

  test('parses with its last weights, or with their mean if it is averaged', () => {
    expect(learners.perceptron.averaged).toBe(false);
    expect(learners['averaged-perceptron'].averaged).toBe(true);
  });
});

describe('MIRA', () => {
  const { averaged, cost, step } = learners.mira;

  test('parses with the mean of its weights, and has a cost of 1,024', () => {
    expect(averaged).toBe(true);
    expect(cost).toBe(1024);
  });

  test.each([
    { violation: 1024, norm: 4, expected: 256 },
    { violation: 5000, norm: 3, expected: 1667 },
    { violation: 1, norm: 3, expected: 0 },
  ])(
    'takes the whole step nearest to violation / squared norm: $violation / $norm',
    ({ violation, norm, expected }) => {
      expect(step(violation, difference(norm))).toBe(expected);
    },
  );

  test('takes no step if the right answer already wins', () => {
    expect(step(-3000, difference(2))).toBe(0);
    expect(step(0, difference(2))).toBe(0);
  });

  test('takes a finite step if two answers have the same features', () => {
    expect(step(1024, difference(0))).toBe(1024);
  });
});
