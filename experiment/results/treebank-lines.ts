import { count } from '../../src/report/tables/table.ts';
import { isTrained, type TrainedSettings } from '../definition/cell-settings.ts';
import type { Cell, Plan } from '../definition/plan.ts';
import type { SurveyedFile } from '../definition/treebanks.ts';
import type { FileJob } from '../jobs/job.ts';
import type { FilledCell } from './fill.ts';

export const treebankLines = (all: readonly FilledCell[]): string[] =>
  unique(all.map(({ cell }) => treebankLine(cell)).filter((line) => line !== undefined));

/** `UD English EWT: train en_ewt-ud-train.conllu (12,544 sentences, …), dev …`; undefined without a test. */
function treebankLine({ part, treebank, scoredOn, available }: Cell): string | undefined {
  const { title, train, dev } = treebank;
  const scored = (scoredOn ?? treebank)[part];
  if (part === 'test') {
    if (scored === undefined) return undefined;
    const learnt = [train, ...(dev === undefined ? [] : [dev])].map(nameOf).join(' and ');
    const owner = scoredOn === undefined ? '' : `${scoredOn.title}, `;
    return `${title}, final: learnt from ${learnt}, scored on ${owner}test ${fileText(scored)}.`;
  }
  const learnt = `train ${fileText(train)}`;
  const owner = scoredOn === undefined ? 'dev' : `scored on ${scoredOn.title}, dev`;
  if (scored !== undefined) return `${title}: ${learnt}, ${owner} ${fileText(scored)}.`;
  const heldOut = count(train.sentences - available);
  return `${title}: ${learnt}; it has no dev part: the last ${heldOut} sentences are held out.`;
}

export function fileLines(all: readonly FilledCell[], { jobs }: Plan): string[] {
  const given = all.flatMap(({ cell }) => {
    if (!('file' in cell.settings)) return [];
    return cell.jobs.map((name) => ({ cell, trees: (jobs.get(name) as FileJob).trees }));
  });
  const texts = given.map(({ cell: { row, column, part }, trees }) => {
    const place = [row, column, part === 'test' ? 'test' : ''].filter((name) => name !== '').join(', ');
    return `${place}: ${nameOf(trees)} (SHA-256 ${shortDigest(trees)})`;
  });
  return texts.length === 0 ? [] : [`Trees of other programs: ${texts.join('; ')}.`];
}

export function shortageLines(all: readonly FilledCell[]): string[] {
  // A combined cell is empty where one of its members is.
  const empty = all
    .map(({ cell }) => cell)
    .filter(({ jobs, settings }) => jobs.length === 0 && !('of' in settings));
  return unique(empty.map(shortage));
}

function shortage({ part, settings, treebank, scoredOn, available }: Cell): string {
  const { title } = scoredOn ?? treebank;
  if ((scoredOn ?? treebank)[part] === undefined && part === 'test')
    return `${title} has no test part here: its test cells are empty.`;
  if ('file' in settings) return 'Where another program has no file the cell is empty.';
  return `${treebank.title} has ${count(available)} sentences to learn from: cells that ask for more are empty.`;
}

export const fileText = ({ path, sentences, digest }: SurveyedFile): string =>
  `${nameOf({ path })} (${count(sentences)} sentences, SHA-256 ${shortDigest({ digest })})`;

const nameOf = ({ path }: { readonly path: string }) => path.replace(/^.*[/\\]/, '');
const shortDigest = ({ digest }: { readonly digest: string }) => `${digest.slice(0, 12)}…`;

/** A cell with a trained parser: neither combined nor another program's output. */
export type TrainedCell = Cell & { readonly settings: TrainedSettings };

export const trained = (all: readonly FilledCell[]): TrainedCell[] =>
  all.map(({ cell }) => cell).filter((cell): cell is TrainedCell => isTrained(cell.settings));

/** States a fact once if it holds for all cells, else for each row, or else for each column or cell. */
export function groupedFact<C extends Cell>(all: readonly C[], fact: (cell: C) => string): string {
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

/** Cells by column; the column's name alone means all of its cells. */
function places(cells: readonly Cell[], all: readonly Cell[]): string {
  const rowsOf = (column: string, from: readonly Cell[]) =>
    unique(from.filter((cell) => cell.column === column).map(rowOf));
  return unique(cells.map(columnOf))
    .map((column) => {
      const rows = rowsOf(column, cells);
      if (column === '') return listed(rows);
      return rows.length === rowsOf(column, all).length ? column : `${column} of ${listed(rows)}`;
    })
    .join('; ');
}

/** A list of names, quoted if some contain commas. */
function listed(names: readonly string[]): string {
  const each = unique(names);
  return (each.some((name) => name.includes(',')) ? each.map((name) => `“${name}”`) : each).join(', ');
}

export const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
