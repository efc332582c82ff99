import { isTrained, type TrainedSettings } from '../../definition/cell-settings.ts';
import type { Cell } from '../../definition/plan.ts';
import type { FilledCell } from '../fill.ts';

/** A cell that is neither made of others nor of a file. */
export type TrainedCell = Cell & { readonly settings: TrainedSettings };

export function trained(all: readonly FilledCell[]): TrainedCell[] {
  return all.map(({ cell }) => cell).filter((cell): cell is TrainedCell => isTrained(cell.settings));
}

/**
 * A fact of all cells; where it is not the same for all: of each row, or else each column, or else each cell.
 */
export function told<C extends Cell>(all: readonly C[], fact: (cell: C) => string): string {
  const ways: ((cell: Cell) => string)[] = [() => '', ({ row }) => row, ({ column }) => column];
  const settles = (name: (cell: Cell) => string) =>
    all.every((a) => all.every((b) => name(a) !== name(b) || fact(a) === fact(b)));
  const name = ways.find(settles) ?? (({ row, column }) => `${row}, ${column}`);
  const values = unique(all.map(fact));
  if (values.length === 1) return values[0];
  const namesOf = (value: string) => unique(all.filter((cell) => fact(cell) === value).map(name));
  // `1 (Baseline, + Averaging); 1–10 (+ Shuffling)`
  return values.map((value) => `${value} (${namesOf(value).join(', ')})`).join('; ');
}

/** Each once, in the order of their first. */
export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
