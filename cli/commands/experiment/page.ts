import { figures } from '../../../experiment/cells/figures.ts';
import type { Experiment } from '../../../experiment/definition/experiment.ts';
import type { Plan } from '../../../experiment/definition/plan.ts';
import { reportedFigures } from '../../../experiment/definition/schema.ts';
import { breakdownTables } from '../../../experiment/results/breakdown-tables.ts';
import { type FilledCells, NOT_DONE } from '../../../experiment/results/fill.ts';
import { isOverTreebanks } from '../../../experiment/results/over-treebanks.ts';
import { plotOf } from '../../../experiment/results/plots.ts';
import { provenance } from '../../../experiment/results/provenance.ts';
import { type ComputedTable, experimentRecord } from '../../../experiment/results/record.ts';
import { dataTable, readableTables } from '../../../experiment/results/result-table.ts';
import type { ReadableTable } from '../../../experiment/results/table-texts.ts';
import { writeTextFile } from '../../../src/files/atomic-file.ts';
import { csvTable, markdownTable, textTable } from '../../../src/report/tables/table.ts';
import { note, printJson, printText, warn } from '../../terminal/output.ts';
import { type TableFormat, tablePages } from '../../terminal/tables.ts';

export interface PageFlags {
  readonly to: TableFormat;
  readonly plot?: string;
  readonly quiet?: boolean;
}

/** Prints a table in the format asked for, writes its plot, and sets the exit status. */
export async function show(computed: ComputedTable, { to, plot, quiet }: PageFlags): Promise<void> {
  const { plan, cells, finalCells, breakdowns, command } = computed;
  const all = [...cells, ...(finalCells ?? [])];
  for (const warning of warnings(all, plan.experiment)) warn(warning);
  if (plot !== undefined) {
    await writeTextFile(plot, plotOf(plan, cells));
    if (!quiet) note(`${plot}: written`);
  }
  if (all.flat().some(({ problem }) => problem !== undefined && problem !== NOT_DONE)) process.exitCode = 1;
  if (to === 'json') return printJson(experimentRecord(computed));
  if (to === 'csv') {
    if (!quiet) noteLeftOut(plan);
    return printText(csvTable(dataTable(plan, cells, finalCells)));
  }
  const tables = [...readableTables(plan, cells, finalCells), ...breakdownTables(breakdowns, plan)];
  const lines = provenance(cells, plan, command, finalCells);
  if (to === 'latex') {
    const subject = plan.experiment.title;
    const noted = tables.map((each) => ({ ...each, notes: [] }));
    return printText(...tablePages.latex({ head: [subject, ...lines], tables: noted, subject }));
  }
  printText((to === 'markdown' ? markdownPage : textPage)(plan.experiment, tables, lines));
}

/** Notes what CSV, with one line per row of the table, leaves out. */
function noteLeftOut(plan: Plan): void {
  const left = [
    ...(isOverTreebanks(plan) ? ['averages over treebanks'] : []),
    ...(plan.experiment.by.length > 0 ? ['error breakdowns'] : []),
    ...(reportedFigures(plan.experiment).some((figures) => figures !== '') ? ['figures of the source'] : []),
  ];
  if (left.length > 0)
    note(`CSV has no ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(left)}: --json has`);
}

/** Warnings about the figures shown, except those of oracles, whose output need not be trees. */
function warnings(cells: FilledCells, { report }: Experiment): Set<string> {
  const real = cells
    .flat()
    .filter(({ cell: { settings } }) => !('of' in settings) || settings.vote?.method !== 'oracle');
  const runs = real.flatMap((filled) => filled.runs);
  return new Set(report.flatMap((name) => runs.flatMap((run) => figures[name].warnings(run))));
}

type Tables = readonly ReadableTable[];

function textPage(experiment: Experiment, tables: Tables, lines: readonly string[]): string {
  const texts = tables.map(({ title, table }) => titled(title, textTable(table)));
  return `${heading(experiment)}\n\n${texts.join('\n')}\n${lines.join('\n')}\n`;
}

function markdownPage(experiment: Experiment, tables: Tables, lines: readonly string[]): string {
  const texts = tables.map(({ title, table }) =>
    titled(title === '' ? '' : `#### ${title}`, markdownTable(table)),
  );
  const facts = lines.map((line) => `- ${line.replaceAll('`', '\\`')}\n`).join('');
  return `### ${heading(experiment)}\n\n${experiment.description}\n\n${texts.join('\n')}\n${facts}`;
}

const heading = ({ title, source }: Experiment) => (source === undefined ? title : `${title} (${source})`);
const titled = (title: string, table: string) => (title === '' ? table : `${title}\n\n${table}`);
