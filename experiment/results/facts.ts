import { isTrained, type TrainedSettings } from '../definition/cell-settings.ts';
import type { Cell } from '../definition/plan.ts';
import type { FilledCell } from './fill.ts';

/** A cell with a trained parser: neither combined nor another program's output. */
export type TrainedCell = Cell & { readonly settings: TrainedSettings };

export function trained(all: readonly FilledCell[]): TrainedCell[] {
  return all.map(({ cell }) => cell).filter((cell): cell is TrainedCell => isTrained(cell.settings));
}

/** States a fact once if it is the same for all cells, else for each row, or else for each column or cell. */
export function statement<C extends Cell>(all: readonly C[], fact: (cell: C) => string): string {
  const values = unique(all.map(fact));
  if (values.length === 1) return values[0];
  const settles = (name: (cell: Cell) => string) =>
    all.every((a) => all.every((b) => name(a) !== name(b) || fact(a) === fact(b)));
  const name = [rowOf, columnOf].find(settles);
  // `1 (Baseline, + Averaging); 1–10 (+ Shuffling)`
  return values
    .map((value) => {
      const cells = all.filter((cell) => fact(cell) === value);
      return `${value} (${name === undefined ? places(cells, all) : listed(cells.map(name))})`;
    })
    .join('; ');
}

const rowOf = ({ row }: Cell) => row;
const columnOf = ({ column }: Cell) => column;

/** Cells by column; the column's name alone stands for all of its cells. */
function places(cells: readonly Cell[], all: readonly Cell[]): string {
  const rowsOf = (column: string, from: readonly Cell[]) =>
    unique(from.filter((cell) => cell.column === column).map(rowOf));
  return unique(cells.map(columnOf))
    .map((column) => {
      const rows = rowsOf(column, cells);
      return rows.length === rowsOf(column, all).length ? column : `${column} of ${listed(rows)}`;
    })
    .join('; ');
}

/** A list of names, quoted if some contain commas. */
function listed(names: readonly string[]): string {
  const each = unique(names);
  return (each.some((name) => name.includes(',')) ? each.map((name) => `“${name}”`) : each).join(', ');
}

export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
