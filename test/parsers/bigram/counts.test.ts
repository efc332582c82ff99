import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyedNumbers, PackedCounts } from '../../../parsers/bigram/counts.ts';

const keys = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).filter((key) => key !== 0),
  // Keys with the same low bits, whose searches all begin at the same row.
  fc.integer({ min: 1, max: 30 }).map((i) => i << 20),
);

test('a table of keyed numbers equals a map, however it grows, and so does a second table over its rows', () => {
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

test('firstNumbers gives a table of all first numbers that are not zero', () => {
  const table = new KeyedNumbers(3);
  for (let key = 1; key <= 1000; key++) {
    const at = table.add(key);
    table.rows.set([key, key % 3, 7], at);
  }
  const first = table.firstNumbers();
  for (let key = 1; key <= 1000; key++) {
    const at = first.find(key);
    expect(at === -1 ? 0 : first.rows[at + 1]).toBe(key % 3);
    expect(at === -1).toBe(key % 3 === 0);
  }
});

test('a table that has grown is at least six tenths full', () => {
  const table = new KeyedNumbers(4);
  for (let key = 1; key <= 20_000; key++) {
    table.add(Math.imul(key, 0x9e3779b1));
    if (key > 100) expect(table.rows.length).toBeLessThan((4 * key) / 0.6);
  }
});

const step = fc.record({
  row: fc.integer({ min: 0, max: 3 }),
  pairs: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 40_000 })),
  arcs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
});

test('packed counts are exact, whether small or large, also while counts are taken back', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const packed = new PackedCounts();
      const rows = new Int32Array(4);
      const expected = Array.from({ length: 4 }, () => ({ pairs: 0, arcs: 0 }));
      const count = (by: 1 | -1) => {
        for (const { row, pairs, arcs } of steps) {
          rows[row] = packed.plus(rows[row], by * pairs, by * arcs);
          expected[row].pairs += by * pairs;
          expected[row].arcs += by * arcs;
          expect({ pairs: packed.pairs(rows[row]), arcs: packed.arcs(rows[row]) }).toEqual(expected[row]);
        }
      };
      count(1);
      count(-1);
    }),
  );
});
