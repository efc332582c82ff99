import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Calibration, ConfidenceSample } from '../../src/learn/calibration.ts';
import { Random } from '../../src/learn/random.ts';

function sampleOf(seed: number, size: number, probability: (raw: number) => number): ConfidenceSample {
  const random = new Random(seed);
  const sample = new ConfidenceSample();
  for (let i = 0; i < size; i++) {
    const raw = random.below(1000) / 1000;
    sample.add(raw, random.below(1_000_000) / 1_000_000 < probability(raw));
  }
  return sample;
}

describe('a calibration', () => {
  test('maps confidences to the share of right arcs, for different relations between the two', () => {
    for (const truth of [(raw: number) => raw, (raw: number) => raw ** 3, (raw: number) => 0.5 + raw / 2]) {
      const calibration = sampleOf(4, 20_000, truth).fit()!;
      for (const raw of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        expect(Math.abs(calibration.of(raw) - truth(raw))).toBeLessThan(0.06);
      }
    }
  });

  test('is monotone and stays between 0 and 1', () => {
    const shares = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()), {
      minLength: 200,
      maxLength: 600,
    });
    fc.assert(
      fc.property(shares, (arcs) => {
        const sample = new ConfidenceSample();
        for (const [raw, isRight] of arcs) sample.add(raw, isRight);
        const calibration = sample.fit()!;
        const found = Array.from({ length: 101 }, (_, k) => calibration.of(k / 100));
        expect(
          found.every((value, k) => value >= 0 && value <= 1 && (k === 0 || value >= found[k - 1])),
        ).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('maps everything to the share of right arcs if all confidences are equal', () => {
    const sample = new ConfidenceSample();
    for (let i = 0; i < 300; i++) sample.add(0.5, i % 4 !== 0);
    expect(sample.fit()!.of(0.2)).toBeCloseTo(0.75, 10);
    expect(sample.fit()!.of(0.9)).toBeCloseTo(0.75, 10);
  });

  test('needs at least 200 arcs', () => {
    expect(sampleOf(1, 199, (raw) => raw).fit()).toBeUndefined();
    expect(sampleOf(1, 200, (raw) => raw).fit()).toBeDefined();
  });

  test('of trees falls to 0, does not depend on later trees, and sums to at most 1', () => {
    const trees = { raw: [0.1, 0.6], calibrated: [0.3, 0.8] };
    const calibration = new Calibration({ raw: [0.5], calibrated: [0.5], trees });
    const raw = [0.6, 0.1, 0.05, ...Array(100).fill(1e-9)];
    const calibrated = calibration.ofTrees(raw);
    expect(calibrated.slice(0, 3).map((each) => each.toFixed(3))).toEqual(['0.800', '0.200', '0.000']);
    expect(calibration.ofTrees(raw.slice(1, 4)).map((each) => each.toFixed(3))).toEqual([
      '0.300',
      '0.150',
      '0.000',
    ]);
    for (let k = 1; k < raw.length; k++) {
      expect(calibration.ofTrees(raw.slice(0, k))).toEqual(calibrated.slice(0, k));
    }
  });

  test('is linear between its knots and constant beyond them', () => {
    const calibration = new Calibration({ raw: [0.2, 0.6], calibrated: [0.4, 0.8] });
    const confidences = Float64Array.from([9, 0.1, 0.2, 0.4, 0.6, 1]);
    calibration.apply(confidences);
    expect([...confidences].map((value) => Number(value.toFixed(12)))).toEqual([9, 0.4, 0.4, 0.6, 0.8, 0.8]);
  });
});
