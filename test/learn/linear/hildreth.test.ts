import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hildreth } from '../../../src/learn/linear/learner.ts';

interface Problem {
  readonly vectors: readonly number[][];
  readonly violations: readonly number[];
}

const DIMENSIONS = 12;
const vector = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS });

/** Solvable problems: some vector, the witness, meets every constraint, exactly or with slack. */
const problems: fc.Arbitrary<Problem> = fc
  .tuple(vector, fc.array(fc.tuple(vector, fc.nat(20)), { minLength: 1, maxLength: 8 }))
  .map(([witness, constraints]) => ({
    vectors: constraints.map(([one]) => one),
    violations: constraints.map(([one, slack]) => dot(one, witness) - slack),
  }));

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

function solve({ vectors, violations }: Problem): number[] {
  const k = vectors.length;
  const multipliers = new Float64Array(k).fill(9);
  const gram = Float64Array.from(vectors.flatMap((one) => vectors.map((other) => dot(one, other))));
  hildreth(gram, Float64Array.from(violations), k, multipliers);
  return [...multipliers];
}

function change({ vectors }: Problem, multipliers: readonly number[]): number[] {
  return Array.from({ length: DIMENSIONS }, (_, i) =>
    vectors.reduce((sum, one, v) => sum + multipliers[v] * one[i], 0),
  );
}

describe('Hildreth’s algorithm', () => {
  test('meets the Karush–Kuhn–Tucker conditions: α ≥ 0, no violations, and α > 0 only for tight constraints', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const multipliers = solve(problem);
        const delta = change(problem, multipliers);
        const tolerance = 1e-5 * Math.max(1, ...problem.violations);
        multipliers.forEach((multiplier, i) => {
          const surplus = dot(problem.vectors[i], delta) - problem.violations[i];
          expect(multiplier).toBeGreaterThanOrEqual(0);
          expect(surplus).toBeGreaterThanOrEqual(-tolerance);
          if (multiplier > 0) expect(surplus).toBeLessThanOrEqual(tolerance);
        });
      }),
      { numRuns: 1000 },
    );
  });

  test('solves one constraint in closed form: violation / |f|², or 0 if it is met or cannot be met', () => {
    fc.assert(
      fc.property(vector, fc.integer({ min: -1000, max: 1000 }), (one, violation) => {
        const norm = dot(one, one);
        const expected = norm === 0 ? 0 : Math.max(0, violation / norm);
        expect(solve({ vectors: [one], violations: [violation] })).toEqual([expected]);
      }),
    );
  });

  test('leaves the multiplier of an unsatisfiable constraint at 0, and meets the others', () => {
    const nothing = Array<number>(DIMENSIONS).fill(0);
    const one = [1, 2, ...Array(DIMENSIONS - 2).fill(0)];
    expect(solve({ vectors: [nothing, one], violations: [3, 10] })).toEqual([0, 2]);
    expect(solve({ vectors: [one, nothing], violations: [10, 0] })).toEqual([2, 0]);
  });

  test('shares the step among equal constraints', () => {
    const one = [1, 2, ...Array(DIMENSIONS - 2).fill(0)];
    const multipliers = solve({ vectors: [one, one], violations: [10, 10] });
    expect(dot(multipliers, [1, 1])).toBeCloseTo(2, 9);
  });

  test('terminates if constraints contradict each other', () => {
    const one = [1, ...Array(DIMENSIONS - 1).fill(0)];
    const opposite = one.map((value) => -value);
    const multipliers = solve({ vectors: [one, opposite], violations: [1, 1] });
    expect(multipliers.every((multiplier) => Number.isFinite(multiplier) && multiplier >= 0)).toBe(true);
  });
});
