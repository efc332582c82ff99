import { describe, expect, test } from 'vitest';
import { learners } from '../../../src/learn/linear/learner.ts';

/** A difference of that squared length. */
const difference = (norm: number) => ({ squaredNorm: () => norm });

describe('a perceptron', () => {
  test.each(['perceptron', 'averaged-perceptron'] as const)('(%s) makes steps of 1, at no cost', (name) => {
    const { cost, step } = learners[name];
    expect(cost).toBe(0);
    for (const violation of [-2, 0, 1, 700]) expect(step(violation, difference(5))).toBe(1);
  });

  test('parses with its last weights, the averaged one with their mean', () => {
    expect(learners.perceptron.averaged).toBe(false);
    expect(learners['averaged-perceptron'].averaged).toBe(true);
  });
});

describe('MIRA', () => {
  const { averaged, cost, step } = learners.mira;

  test('parses with the mean of its weights, and takes a wrong part for 1,024', () => {
    expect(averaged).toBe(true);
    expect(cost).toBe(1024);
  });

  test.each([
    { violation: 1024, norm: 4, expected: 256 },
    { violation: 5000, norm: 3, expected: 1667 },
    { violation: 1, norm: 3, expected: 0 },
  ])(
    'steps by violation / squared length: $violation / $norm, as a whole number',
    ({ violation, norm, expected }) => {
      expect(step(violation, difference(norm))).toBe(expected);
    },
  );

  test('stays where the right answer wins already', () => {
    expect(step(-3000, difference(2))).toBe(0);
    expect(step(0, difference(2))).toBe(0);
  });

  test('steps by finite numbers where two answers have the same features', () => {
    expect(step(1024, difference(0))).toBe(1024);
  });
});
