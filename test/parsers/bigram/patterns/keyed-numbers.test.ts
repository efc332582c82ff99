import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyedNumbers } from '../../../../parsers/bigram/patterns/keyed-numbers.ts';

const keys = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).filter((key) => key !== 0),
  // The same low bits: all begin their search at one row.
  fc.integer({ min: 1, max: 30 }).map((i) => i << 20),
);

test('a table of keyed numbers holds what a map holds, however it grows, and so does one over its rows', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.integer({ min: 1, max: 9 })), { maxLength: 300 }), (raises) => {
      const table = new KeyedNumbers(2);
      const map = new Map<number, number>();
      for (const [key, by] of raises) {
        table.raise(key, by);
        map.set(key, (map.get(key) ?? 0) + by);
      }
      for (const one of [table, new KeyedNumbers(2, table.rows)]) {
        for (const [key, number] of map) expect(one.rows[one.find(key) + 1]).toBe(number);
        expect(one.find(0x7654321)).toBe(-1);
      }
    }),
  );
});

test('a row keeps all its numbers when the table grows', () => {
  const table = new KeyedNumbers(4);
  const at = table.add(5);
  table.rows.set([5, 11, 12, 13], at);
  for (let key = 6; key < 500; key++) table.add(key);
  const moved = table.find(5);
  expect([...table.rows.subarray(moved, moved + 4)]).toEqual([5, 11, 12, 13]);
});
