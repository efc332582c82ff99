import { expect, test } from 'vitest';
import { GrowingCounts } from '../../src/evaluate/growing-counts.ts';

test('numbers keep their values while more are added', () => {
  const counts = new GrowingCounts();
  for (let i = 0; i < 1000; i++) counts.push(i * i);
  expect(counts.values).toEqual(Int32Array.from({ length: 1000 }, (_, i) => i * i));
});

test('lengthened counts have zeros at their end, which can be changed', () => {
  const counts = new GrowingCounts();
  counts.push(7);
  counts.lengthen(100);
  counts.values[99] = 5;
  counts.lengthen(3);
  expect([counts.length, ...counts.values.subarray(0, 3), counts.values[99]]).toEqual([100, 7, 0, 0, 5]);
});
