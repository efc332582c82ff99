import { punctuationRules, scoredTokens } from '../../src/evaluate/attachment/punctuation.ts';
import { Breakdown, type BucketScores } from '../../src/evaluate/breakdowns/breakdown.ts';
import type { BreakdownName } from '../../src/evaluate/breakdowns/buckets.ts';
import { sentencePairs } from '../../src/evaluate/lock-step.ts';
import type { Column } from '../../src/report/tables/table.ts';
import type { CellCache } from '../cells/cell-cache.ts';
import { figures } from '../cells/figures.ts';
import type { Plan } from '../definition/plan.ts';
import { treebankAxis } from '../definition/schema.ts';
import { openSelection } from '../jobs/selection.ts';
import { chosenOf, type FilledCell, type FilledCells } from './fill.ts';
import { treebankView } from './over-treebanks.ts';
import { withPartInTitle } from './result-table.ts';
import type { ReadableTable } from './table-texts.ts';

/** Number of buckets shown: those with the most arcs. */
const MOST_BUCKETS = 10;

/** The arcs of a parser by bucket. */
interface ParserBreakdown {
  readonly parser: string;
  readonly buckets: readonly BucketScores[];
}

/** The breakdowns asked for, of the parsers that have results. */
export type ErrorBreakdowns = ReadonlyMap<BreakdownName, readonly ParserBreakdown[]>;

/** The figure whose F1 a breakdown shows. */
const scoreOf = (by: BreakdownName) => (by === 'label' ? 'las' : 'uas');

/**
 * Error breakdowns (McDonald & Nivre 2007, D07-1013, §4): F1 of arcs over all treebanks that every parser has parsed, and all
 * seeds; columns that pool others are left out, as their runs would count twice. A cell whose statistic is the best or
 * worst run contributes only that run, chosen by the score shown.
 */
export async function errorBreakdowns(
  plan: Plan,
  cells: FilledCells,
  cache: CellCache,
): Promise<ErrorBreakdowns> {
  const { by } = plan.experiment;
  const axis = treebankAxis(plan.experiment);
  const view = axis === undefined ? { parsers: plan.rows, cells } : treebankView(plan, cells);
  const place = axis === 'rows' ? 'row' : 'column';
  const all = new Map(by.map((name) => [name, [] as ParserBreakdown[]]));
  const parsed = view.cells.filter((own) => own.some(({ runs }) => runs.length > 0));
  for (const [i, parser] of view.parsers.entries()) {
    const breakdowns = by.map((name) => new Breakdown(name));
    const shared = view.cells[i].filter(
      (cell, t) => !poolsOthers(cell, place, t) && parsed.every((own) => own[t].runs.length > 0),
    );
    for (const cell of shared) await addCell(cell, breakdowns, cache);
    for (const breakdown of breakdowns) {
      const buckets = breakdown.rows();
      if (buckets.length > 0) all.get(breakdown.name)!.push({ parser, buckets });
    }
  }
  return all;
}

/** Whether a cell's runs are those of cells in other columns (or rows) than its own. */
const poolsOthers = ({ cell: { settings } }: FilledCell, place: 'row' | 'column', own: number): boolean =>
  'of' in settings && settings.vote === undefined && settings.of.some((member) => member[place] !== own);

async function addCell(cell: FilledCell, breakdowns: readonly Breakdown[], cache: CellCache) {
  const chosen = breakdowns.map(({ name }) => chosenOf(scoreOf(name), cell));
  for (const [i, { job, result, rule }] of cell.runs.entries()) {
    const own = breakdowns.filter((_, k) => chosen[k].includes(i));
    if (own.length === 0) continue;
    const gold = await openSelection(result.job.test);
    for await (const pair of sentencePairs(gold, await cache.openTrees(job))) {
      const scored = scoredTokens(pair.gold, punctuationRules[rule]);
      for (const breakdown of own) breakdown.add(pair.gold, pair.predicted, scored);
    }
  }
}

/** One readable table per breakdown with results. They are of the dev part, even if the test part is scored, too. */
export function breakdownTables(breakdowns: ErrorBreakdowns, { finalCells }: Plan): ReadableTable[] {
  const found = [...breakdowns].filter(([, parsers]) => parsers.length > 0);
  const tables = found.map(([by, parsers]) => bucketTable(by, parsers));
  return finalCells === undefined ? tables : tables.map((table) => withPartInTitle('dev', table));
}

function bucketTable(by: BreakdownName, parsers: readonly ParserBreakdown[]): ReadableTable {
  const score = scoreOf(by);
  const all = parsers[0].buckets;
  const least = all.map(({ gold }) => gold).sort((a, b) => b - a)[MOST_BUCKETS - 1] ?? 0;
  const shown = all.filter(({ gold }) => gold >= least && gold > 0).slice(0, MOST_BUCKETS);
  const total = all.reduce((sum, { gold }) => sum + gold, 0);
  const column = (title: string): Column => ({ key: title, title, align: 'right' });
  const scores = ({ buckets }: ParserBreakdown) =>
    shown.map(({ bucket }) => {
      const found = buckets.find((row) => row.bucket === bucket);
      return found === undefined ? '–' : f1(score === 'las' ? found.labelled : found.unlabelled);
    });
  const filled = all.filter(({ gold }) => gold > 0).length;
  const left = shown.length < filled ? `, the ${shown.length} most frequent of ${filled}` : '';
  return {
    title: `${figures[score].title} F1 by ${by}${left}`,
    table: {
      columns: [{ key: 'row', title: '' }, ...shown.map(({ bucket }) => column(bucket))],
      rows: [
        ['% of arcs', ...shown.map(({ gold }) => ((100 * gold) / total).toFixed(1))],
        ...parsers.map((one) => [one.parser, ...scores(one)]),
      ],
    },
  };
}

const f1 = ({ f1: value }: BucketScores['labelled']) => (Number.isNaN(value) ? '–' : value.toFixed(1));
