import { expect, test } from 'vitest';
import type { Cell } from '../../../experiment/definition/plan.ts';
import { groupedFact } from '../../../experiment/results/treebank-lines.ts';

const cells = (rows: readonly string[], columns: readonly string[]) =>
  rows.flatMap((row) => columns.map((column) => ({ row, column }) as Cell));

test('groupedFact states a fact once if all cells share it, otherwise by the names of rows or columns', () => {
  const all = cells(['a', 'b', 'c'], ['x', 'y']);
  expect(groupedFact(all, () => 'gold')).toBe('gold');
  expect(groupedFact(all, ({ row }) => (row === 'a' ? 'one' : 'two'))).toBe('one (a); two (b, c)');
  expect(groupedFact(all, ({ column }) => (column === 'x' ? 'one' : 'two'))).toBe('one (x); two (y)');
});

test('groupedFact lists the facts of single cells by column', () => {
  const all = cells(['a', 'b', 'c'], ['x', 'y']);
  const fact = ({ row, column }: Cell) => (column === 'x' && row !== 'c' ? 'one' : 'two');
  expect(groupedFact(all, fact)).toBe('one (x of a, b); two (y; x of c)');
});

test('groupedFact names rows if there are no columns, even if cells of one row differ', () => {
  const all = cells(['a', 'a', 'b'], ['']);
  const facts = new Map(all.map((cell, i) => [cell, i === 0 ? 'one' : 'two']));
  expect(groupedFact(all, (cell) => facts.get(cell)!)).toBe('one (a); two (a, b)');
});

test('groupedFact quotes the names in a list with a comma in one of them', () => {
  const all = cells(['GENIA, gold tags', 'Spanish', 'English'], ['']);
  expect(groupedFact(all, ({ row }) => (row === 'English' ? 'one' : 'two'))).toBe(
    'two (“GENIA, gold tags”, “Spanish”); one (English)',
  );
});
