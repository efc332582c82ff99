import { expect, test } from 'vitest';
import { confidenceIn, withConfidences } from '../../../src/treebank/columns/confidence.ts';

const misc = ['', '_', 'SpaceAfter=No', 'Confidence=0.1|SpaceAfter=No', 'A=1|Confidence=0.2'];
const confidences = Float64Array.from([0, 0.5, 0.98765, 1, 0]);

test('confidences are added to MISC, in place of older ones', () => {
  expect(withConfidences(misc, { arcs: confidences })).toEqual([
    '',
    'Confidence=0.500',
    'SpaceAfter=No|Confidence=0.988',
    'SpaceAfter=No|Confidence=1.000',
    'A=1|Confidence=0.000',
  ]);
});

test('confidences are read from MISC, but only numbers from 0 to 1', () => {
  expect(
    withConfidences(misc, { arcs: confidences })
      .slice(1)
      .map((one) => confidenceIn(one)),
  ).toEqual([0.5, 0.988, 1, 0]);
  for (const text of [
    '_',
    '',
    'SpaceAfter=No',
    'Confidence=',
    'Confidence=1.2',
    'Confidence=high',
    'XConfidence=0.5',
  ]) {
    expect(confidenceIn(text)).toBeUndefined();
  }
});
