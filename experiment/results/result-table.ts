import type { Column, Table, Cell as TableCell } from '../../src/report/tables/table.ts';
import { count, figures as numbers } from '../../src/report/tables/table.ts';
import { type FigureName, figures } from '../cells/figures.ts';
import type { Experiment } from '../definition/experiment.ts';
import type { Plan } from '../definition/plan.ts';
import { ALL } from '../definition/schema.ts';
import type { ScoredPart } from '../definition/treebanks.ts';
import type { FilledCell, FilledCells } from './fill.ts';
import { isOverTreebanks, treebankTables } from './over-treebanks.ts';
import { figureTexts, type ReadableTable, shownP, withSource } from './table-texts.ts';

/** A column of the printed table: one figure of one column of the experiment. */
interface Place {
  readonly j: number;
  readonly name: FigureName;
  readonly title: string;
}

const MOST_COLUMNS = 9;

/** Tables for reading, with figures as `79.21 ± 0.08`. A wide table is split by column; with averages, by figure. */
export function readableTables(plan: Plan, cells: FilledCells, finalCells?: FilledCells): ReadableTable[] {
  if (finalCells === undefined) return partTables(plan, cells);
  return [
    ...partTables(plan, cells).map((one) => withPartInTitle('dev', one)),
    ...partTables(plan, finalCells).map((one) => withPartInTitle('test', one)),
  ];
}

/** A table with the scored part in its title. */
export function withPartInTitle(part: ScoredPart, { title, table }: ReadableTable): ReadableTable {
  return { title: title === '' ? part : `${title}, ${part}`, table };
}

function partTables(plan: Plan, cells: FilledCells): ReadableTable[] {
  if (isOverTreebanks(plan)) return treebankTables(plan, cells);
  const all = places(plan);
  const width = all.reduce((sum, place) => sum + (hasTest(plan, place) ? 2 : 1), 0);
  if (plan.columns.length === 1 || width <= MOST_COLUMNS)
    return [{ title: '', table: readableTable(plan, cells, all) }];
  return plan.columns.map((title, j) => {
    const own = all.filter((place) => place.j === j);
    const untitled = own.map((place) => ({ ...place, title: figures[place.name].title }));
    return { title, table: readableTable(plan, cells, untitled) };
  });
}

function readableTable(plan: Plan, cells: FilledCells, shown: readonly Place[]): Table {
  const texts = shown.map((place) => ({
    place,
    values: figureTexts(
      cells.map((row) => row[place.j]),
      place.name,
    ),
    pValues: hasTest(plan, place) ? cells.map((row) => shownP(figureAt(row, place).p)) : undefined,
  }));
  return withSource(plan, {
    columns: [
      { key: 'row', title: sweepTitle(plan.experiment) },
      ...texts.flatMap(({ place: { title }, pValues }): Column[] => [
        { key: title, title, align: 'right' },
        ...(pValues === undefined ? [] : [{ key: `${title} p`, title: 'p', align: 'right' as const }]),
      ]),
    ],
    rows: plan.rows.map((row, i) => [
      rowTitle(row, plan.experiment),
      ...texts.flatMap(({ values, pValues }) => [values[i], ...(pValues === undefined ? [] : [pValues[i]])]),
    ]),
  });
}

export const isLearningCurve = ({ sweep }: Experiment) => sweep?.option === 'trainSentences';

export const sweepTitle = (experiment: Experiment): string =>
  isLearningCurve(experiment) ? 'training sentences' : (experiment.sweep?.option ?? '');

const rowTitle = (row: string, experiment: Experiment): string =>
  isLearningCurve(experiment) && row !== ALL ? count(Number(row)) : row;

/** A table for programs: full precision, deviations and p-values in columns of their own; dev rows before test rows. */
export function dataTable(plan: Plan, cells: FilledCells, finalCells?: FilledCells): Table {
  const deviates = [...cells, ...(finalCells ?? [])]
    .flat()
    .some(({ figures }) => [...figures.values()].some((f) => f.deviation !== undefined));
  const all = places(plan);
  const rowsOf = (part: FilledCells, name: readonly string[]) =>
    plan.rows.map((row, i) => [
      row,
      ...name,
      ...all.flatMap((place): TableCell[] => {
        const { value, deviation, p } = figureAt(part[i], place);
        const tested = hasTest(plan, place) ? [p ?? null] : [];
        return [value, ...(deviates ? [deviation ?? null] : []), ...tested];
      }),
    ]);
  return {
    columns: [
      { key: 'row', title: plan.experiment.sweep?.option ?? 'row' },
      ...(finalCells === undefined ? [] : [{ key: 'part', title: 'part' }]),
      ...all.flatMap((place): Column[] => [
        numbers(place.title, place.title, figures[place.name].decimals),
        ...(deviates ? [numbers(`${place.title} deviation`, `${place.title} deviation`, 2)] : []),
        ...(hasTest(plan, place) ? [numbers(`${place.title} p`, `${place.title} p`, 4)] : []),
      ]),
    ],
    rows:
      finalCells === undefined
        ? rowsOf(cells, [])
        : [...rowsOf(cells, ['dev']), ...rowsOf(finalCells, ['test'])],
  };
}

function places({ columns, experiment: { report } }: Plan): Place[] {
  return columns.flatMap((column, j) =>
    report.map((name) => ({ j, name, title: `${column} ${figures[name].title}`.trim() })),
  );
}

const hasTest = ({ experiment }: Plan, { name }: Place): boolean =>
  experiment.baseline !== undefined && figures[name].counts !== undefined;

const figureAt = (row: readonly FilledCell[], { j, name }: Place) => row[j].figures.get(name)!;
