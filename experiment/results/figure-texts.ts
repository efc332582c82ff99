import { NOT_DONE } from './cell-runs.ts';
import { type FigureName, figures } from './figures.ts';
import type { FilledCell } from './fill.ts';

/**
 * One figure of several cells, as it is read below each other: `79.21 ± 0.08`, `79.21`, – where there is nothing, `…`
 * where it is not done yet, or that it failed; filled up so that the points stand below each other.
 *
 * @param mark what stands directly after a value
 */
export function figureTexts(
  cells: readonly FilledCell[],
  name: FigureName,
  mark: (cell: FilledCell) => string = () => '',
): string[] {
  const { decimals } = figures[name];
  const endings = cells.map((cell) => {
    const { deviation } = cell.figures.get(name)!;
    return mark(cell) + (deviation === undefined ? '' : ` ± ${deviation.toFixed(decimals)}`);
  });
  const width = Math.max(...endings.map(({ length }) => length));
  return cells.map(({ problem, figures: own }, i) => {
    if (problem !== undefined) return problem === NOT_DONE ? '…' : 'failed';
    const { value } = own.get(name)!;
    return Number.isNaN(value) ? '–' : value.toFixed(decimals) + endings[i].padEnd(width);
  });
}

/** `0.012`; nothing where there is no test. */
export function shownP(p: number | undefined): string {
  if (p === undefined) return '';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
