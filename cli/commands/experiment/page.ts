import { figures } from '../../../experiment/cells/figures.ts';
import type { Experiment } from '../../../experiment/definition/experiment.ts';
import type { Plan } from '../../../experiment/definition/plan.ts';
import { type FilledCells, NOT_DONE } from '../../../experiment/results/fill.ts';
import { provenance } from '../../../experiment/results/provenance.ts';
import { experimentRecord } from '../../../experiment/results/record.ts';
import { dataTable, readableTables, sweepPlot } from '../../../experiment/results/result-table.ts';
import type { ReadableTable } from '../../../experiment/results/table-texts.ts';
import { writeTextFile } from '../../../src/files/atomic-file.ts';
import { csvTable, markdownTable, textTable } from '../../../src/report/tables/table.ts';
import { note, type Piece, printJson, printText, warn } from '../../terminal/output.ts';
import { tablePages } from '../../terminal/tables.ts';

export const outputFormats = ['text', 'markdown', 'latex', 'csv', 'json'] as const;

export interface Made {
  readonly plan: Plan;
  readonly cells: FilledCells;
  readonly finalCells: FilledCells | undefined;
  readonly breakdowns: readonly ReadableTable[];
  readonly command: string;
}

export interface PageFlags {
  readonly to: (typeof outputFormats)[number];
  readonly plot?: string;
  readonly quiet?: boolean;
}

export async function show(made: Made, { to, plot, quiet }: PageFlags): Promise<void> {
  const { plan, cells, finalCells, command } = made;
  const all = [...cells, ...(finalCells ?? [])];
  for (const warning of warnings(all, plan.experiment)) warn(warning);
  if (plot !== undefined) {
    await writeTextFile(plot, sweepPlot(plan, cells));
    if (!quiet) note(`${plot}: written`);
  }
  if (all.flat().some(({ problem }) => problem !== undefined && problem !== NOT_DONE)) process.exitCode = 1;
  if (to === 'json') return printJson(experimentRecord(plan, cells, command, finalCells));
  if (to === 'csv') return printText(csvTable(dataTable(plan, cells, finalCells)));
  if (to === 'latex') return printText(...latexPage(made));
  printText(to === 'markdown' ? markdownPage(made) : textPage(made));
}

/** Warnings about the figures shown; an oracle's output need not be trees. */
function warnings(cells: FilledCells, { report }: Experiment): Set<string> {
  const real = cells
    .flat()
    .filter(({ cell: { settings } }) => !('of' in settings) || settings.vote?.method !== 'oracle');
  const runs = real.flatMap((filled) => filled.runs);
  return new Set(report.flatMap((name) => runs.flatMap((run) => figures[name].warnings(run))));
}

function textPage({ plan, cells, finalCells, breakdowns, command }: Made): string {
  const { title, source } = plan.experiment;
  const lines = provenance(cells, plan, command, finalCells);
  const heading = source === undefined ? title : `${title} (${source})`;
  const tables = [...readableTables(plan, cells, finalCells), ...breakdowns].map(({ title, table }) =>
    titled(title, textTable(table)),
  );
  return `${heading}\n\n${tables.join('\n')}\n${lines.join('\n')}\n`;
}

function markdownPage({ plan, cells, finalCells, breakdowns, command }: Made): string {
  const { title, source, description } = plan.experiment;
  const lines = provenance(cells, plan, command, finalCells);
  const origin = source === undefined ? '' : ` (${source})`;
  const tables = [...readableTables(plan, cells, finalCells), ...breakdowns].map(({ title, table }) =>
    titled(title === '' ? '' : `#### ${title}`, markdownTable(table)),
  );
  const facts = lines.map((line) => `- ${line.replaceAll('`', '\\`')}\n`).join('');
  return `### ${title}${origin}\n\n${description}\n\n${tables.join('\n')}\n${facts}`;
}

function latexPage({ plan, cells, finalCells, breakdowns, command }: Made): Piece[] {
  const { title: subject } = plan.experiment;
  const tables = [...readableTables(plan, cells, finalCells), ...breakdowns];
  const head = [subject, ...provenance(cells, plan, command, finalCells)];
  return tablePages.latex({ head, tables: tables.map((each) => ({ ...each, notes: [] })), subject });
}

const titled = (title: string, table: string) => (title === '' ? table : `${title}\n\n${table}`);
