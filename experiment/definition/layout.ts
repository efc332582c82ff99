import type { Paradigm } from '../../parsers/parser.ts';
import { InputError } from '../../src/errors.ts';
import type { CellSettings, Layer } from './cell-settings.ts';
import { fileSettings, isTrained, merged, trainedSettings } from './cell-settings.ts';
import type { Experiment } from './experiment.ts';
import { ALL, type Entry, isPooled, treebankAxis } from './schema.ts';
import { needsSetAside } from './vote-plan.ts';

/** Maximum number of runs per table: more are probably a mistake, and planning alone would take minutes. */
const MOST_RUNS = 20_000;

/**
 * Completes the settings of each cell: `defaultSettings`, overridden by the defaults, the row, and the column. Options in
 * `defaults` belong to the default paradigm and do not apply to cells of other paradigms.
 *
 * @throws InputError with the path in the file for unknown paradigms and invalid options; for combined cells without
 *   trained cells, tables with too many runs, `folds` and `setAside` without effect, and averages if neither rows nor
 *   columns are treebanks
 * @throws UsageError for a cell without a treebank
 */
export function layOut(experiment: Experiment, known: readonly Paradigm[]) {
  const defaults: Layer = { path: 'defaults', entry: { name: '', ...experiment.defaults } };
  const rows =
    experiment.sweep === undefined ? layers('rows', experiment.rows!) : sweepLayers(experiment.sweep);
  // One empty name if the file defines no columns.
  const columns = layers('columns', experiment.columns ?? [{ name: '' }]);
  const { file } = experiment;
  checkSize(defaults, rows, columns, file);
  if (experiment.averages && treebankAxis(experiment) === undefined)
    throw new InputError('averages: expected rows or columns that each name a treebank', { file });
  const cells = rows.map((row, i) =>
    columns.map((column, j): CellSettings => {
      const layers = [defaults, row, column];
      if (!isPooled(row.entry) && !isPooled(column.entry))
        return fileSettings(row, column, layers, file) ?? trainedSettings(layers, known, file);
      if (isPooled(row.entry) && isPooled(column.entry)) {
        const problem = `combines other columns, but ${row.path} combines other rows`;
        throw new InputError(`${column.path}: ${problem}`, { file });
      }
      const of = isPooled(row.entry)
        ? membersOf(row, rows, file).map((k) => ({ row: k, column: j }))
        : membersOf(column, columns, file).map((k) => ({ row: i, column: k }));
      const { punctuation, brackets, statistic, setAside } = merged(layers);
      return { punctuation, brackets, statistic, setAside, of, vote: row.entry.vote ?? column.entry.vote };
    }),
  );
  const affected: [Layer, CellSettings[]][] = [
    [defaults, cells.flat()],
    ...rows.map((row, i): [Layer, CellSettings[]] => [row, cells[i]]),
    ...columns.map((column, j): [Layer, CellSettings[]] => [column, cells.map((row) => row[j])]),
  ];
  for (const [layer, own] of affected) checkEffect(layer, own, known, file);
  return { rows: names(rows), columns: names(columns), cells };
}

/** Refuses `folds` and `setAside` where they change none of the cells to which they apply. */
function checkEffect(
  { path, entry }: Layer,
  cells: readonly CellSettings[],
  known: readonly Paradigm[],
  file: string,
): void {
  const isFolded = (cell: CellSettings) =>
    isTrained(cell) && (cell.guides.length > 0 || cell.tags === 'predicted' || cell.tags === 'both');
  const holdsOut = (cell: CellSettings) => {
    if (!isTrained(cell)) return 'of' in cell && cell.vote !== undefined && needsSetAside(cell.vote);
    return known.find(({ name }) => name === cell.paradigm)!.needsHeldOut?.(cell.options) === true;
  };
  const refuse = (key: string, lacking: string) =>
    new InputError(`${path}.${key}: has no effect without ${lacking}`, { file });
  if (entry.folds !== undefined && !cells.some(isFolded))
    throw refuse('folds', 'guides or predicted tags to learn from');
  if (entry.setAside !== undefined && !cells.some(holdsOut))
    throw refuse('setAside', 'weights of a vote to learn, or epochs to choose among');
}

function checkSize(defaults: Layer, rows: readonly Layer[], columns: readonly Layer[], file: string) {
  let runs = 0;
  for (const row of rows) for (const column of columns) runs += merged([defaults, row, column]).seeds.length;
  if (runs <= MOST_RUNS) return;
  const size = `${rows.length} × ${columns.length} cells with ${runs} runs`;
  throw new InputError(`${size}, expected at most ${MOST_RUNS}`, { file });
}

function membersOf({ entry: { of = 'all' }, path }: Layer, axis: readonly Layer[], file: string): number[] {
  const single = [...axis.keys()].filter((k) => !isPooled(axis[k].entry));
  const trained = single.filter((k) => axis[k].entry.files === undefined);
  const called = (name: string) => {
    const k = single.find((each) => axis[each].entry.name === name);
    if (k !== undefined) return k;
    const expected = single.map((each) => axis[each].entry.name).join(', ');
    throw new InputError(`${path}.of: “${name}” is not trained, expected some of ${expected}`, { file });
  };
  const members = of === 'all' ? trained : of.map(called);
  if (members.length > 0) return members;
  throw new InputError(`${path}: combines other cells, but none is trained`, { file });
}

const names = (of: readonly Layer[]) => of.map(({ entry }) => entry.name);

const layers = (axis: string, entries: readonly Entry[]): Layer[] =>
  entries.map((entry, i) => ({ path: `${axis}[${i}]`, entry }));

function sweepLayers({ option, values }: NonNullable<Experiment['sweep']>): Layer[] {
  return values.map((value, i) => {
    const name = String(value);
    const path = `sweep.values[${i}]`;
    const isSize = option === 'trainSentences';
    const size = value === ALL ? Number.POSITIVE_INFINITY : Number(value);
    const entry = isSize ? { name, trainSentences: size } : { name, options: { [option]: value } };
    return { path, entry, option: { name: 'sweep.option', value: path } };
  });
}
