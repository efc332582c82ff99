import { expect, test } from 'vitest';
import type { Cell } from '../../../experiment/definition/plan.ts';
import { groupedFact } from '../../../experiment/results/treebank-lines.ts';

const cells = (rows: readonly string[], columns: readonly string[]) =>
  rows.flatMap((row) => columns.map((column) => ({ row, column }) as Cell));

test('a fact that all cells share is groupedFact once, one of rows or of columns by their names', () => {
  const all = cells(['a', 'b', 'c'], ['x', 'y']);
  expect(groupedFact(all, () => 'gold')).toBe('gold');
  expect(groupedFact(all, ({ row }) => (row === 'a' ? 'one' : 'two'))).toBe('one (a); two (b, c)');
  expect(groupedFact(all, ({ column }) => (column === 'x' ? 'one' : 'two'))).toBe('one (x); two (y)');
});

test('a fact of single cells is groupedFact by their columns', () => {
  const all = cells(['a', 'b', 'c'], ['x', 'y']);
  const fact = ({ row, column }: Cell) => (column === 'x' && row !== 'c' ? 'one' : 'two');
  expect(groupedFact(all, fact)).toBe('one (x of a, b); two (y; x of c)');
});

test('a fact that neither rows nor columns settle names rows where there are no columns', () => {
  const all = cells(['a', 'a', 'b'], ['']);
  const facts = new Map(all.map((cell, i) => [cell, i === 0 ? 'one' : 'two']));
  expect(groupedFact(all, (cell) => facts.get(cell)!)).toBe('one (a); two (a, b)');
});

test('names that hold commas are quoted in a list', () => {
  const all = cells(['GENIA, gold tags', 'Spanish', 'English'], ['']);
  expect(groupedFact(all, ({ row }) => (row === 'English' ? 'one' : 'two'))).toBe(
    'two (“GENIA, gold tags”, “Spanish”); one (English)',
  );
});
