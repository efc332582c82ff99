import { describe, expect, test } from 'vitest';
import { type DistanceKind, Distances, distanceKinds } from '../../../../parsers/graph/features/distance.ts';

function numbers(kind: DistanceKind, lengths: readonly number[]): number[] {
  const { numbers, offset } = new Distances(kind).table(20, 0);
  return lengths.map((length) => numbers[offset + length]);
}

describe('direction and distance of an arc', () => {
  test('bucket: 1, 2, 3, 4, 5, 6–10, more (MSTParser), odd to the right', () => {
    expect(numbers('bucket', [1, 2, 3, 4, 5, 6, 10, 11, 20])).toEqual([1, 3, 5, 7, 9, 11, 11, 13, 13]);
    expect(numbers('bucket', [-1, -5, -6, -11])).toEqual([2, 10, 12, 14]);
  });

  test('capped: 1, 2, 3, 4 or more', () => {
    expect(numbers('capped', [1, 2, 3, 4, 5, 20])).toEqual([1, 3, 5, 7, 7, 7]);
    expect(numbers('capped', [-1, -4, -20])).toEqual([2, 8, 8]);
    expect(new Distances('capped').nameOf(9, 2)).toBe('left 4 or more');
  });

  test('exact: every length its own number', () => {
    expect(numbers('exact', [1, -1, 2, -2, 20, -20])).toEqual([1, 2, 3, 4, 39, 40]);
  });

  test('none: direction only', () => {
    expect(numbers('none', [1, 7, -1, -7])).toEqual([1, 1, 2, 2]);
  });

  test.each(distanceKinds)('%s: numbers stay below the count', (kind) => {
    const distances = new Distances(kind);
    const { numbers, offset } = distances.table(20, 0);
    for (let length = -20; length <= 20; length++) {
      expect(numbers[offset + length]).toBeLessThan(distances.count(20));
    }
  });

  test('numbers are shifted past the bits that a caller reserves, also after the table has grown', () => {
    const distances = new Distances('bucket');
    distances.table(3, 6);
    const { numbers, offset } = distances.table(50, 6);
    expect(numbers[offset + 1]).toBe(1 << 6);
    expect(numbers[offset - 50]).toBe(14 << 6);
  });
});
