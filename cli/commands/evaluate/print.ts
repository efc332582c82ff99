import { basename } from 'node:path';
import type { EvaluationReport } from '../../../src/evaluate/evaluate.ts';
import { reliabilityNote, reliabilityTable } from '../../../src/report/tables/evaluation-tables.ts';
import type { Cell, ColumnOf, Table, TitledTable } from '../../../src/report/tables/table.ts';
import { csvTable, figures, text, textTable } from '../../../src/report/tables/table.ts';
import { note, printText, warn } from '../../terminal/output.ts';
import { type TableFormat, tablePages } from '../../terminal/tables.ts';

export interface PrintedScores {
  readonly gold: string;
  readonly scores: TitledTable;
  /** Scores of UD's eval.py, if some file's words differ from gold's. */
  readonly aligned?: TitledTable | undefined;
  readonly breakdowns: readonly FileTable[];
}

interface FileTable extends TitledTable {
  readonly file: string;
  /** What its confidences are of, if not of arcs. */
  readonly of?: string | undefined;
}

/** Prints scores; CSV has the breakdown if there is one, else the scores, without those of UD's eval.py. */
export function printScores(
  printed: PrintedScores,
  format: Exclude<TableFormat, 'json'>,
  quiet?: boolean,
): void {
  const { gold, scores, aligned, breakdowns } = printed;
  const tables = [scores, ...(aligned === undefined ? [] : [aligned]), ...breakdowns];
  if (format === 'csv') {
    printText(csvTable(breakdowns.length === 0 ? scores.table : joined(breakdowns)));
    if (aligned !== undefined && !quiet) note(`CSV leaves out the scores of UD's eval.py; --json has them`);
  } else if (format === 'text') printText(textOf(tables));
  else
    printText(...tablePages[format]({ head: [`Gold: ${basename(gold)}`], tables, subject: basename(gold) }));
}

function textOf([scores, ...others]: readonly TitledTable[]): string {
  const body = ({ table, notes }: TitledTable) =>
    textTable(table) + (notes.length === 0 ? '' : `\n${notes.join('\n')}\n`);
  return body(scores) + others.map((other) => `\n${other.title}:\n\n${body(other)}`).join('');
}

/** One table of all; if there are confidences of several kinds, one column names what each is of. */
function joined(breakdowns: readonly FileTable[]): Table {
  const { columns } = breakdowns[0].table;
  const isMixed = breakdowns.some(({ of }) => of !== undefined);
  const mixed = [text('of'), text('confidence'), ...countColumns];
  return {
    columns: [text('file'), ...(isMixed ? mixed : columns)],
    rows: breakdowns.flatMap(({ file, of = 'arcs', table: { rows } }) =>
      rows.map((row): readonly Cell[] => [file, ...(isMixed ? [of] : []), ...row]),
    ),
  };
}

const countColumns = [
  figures('count', 'count', 0),
  figures('mean', 'mean', 2),
  figures('accuracy', 'accuracy', 2),
];

export function bucketColumns(
  by: string,
): readonly ColumnOf<{ bucket: string; gold: number; predicted: number }>[] {
  return [
    [text('bucket', by), ({ bucket }) => bucket],
    [figures('gold', 'gold', 0), ({ gold }) => gold],
    [figures('predicted', 'predicted', 0), ({ predicted }) => predicted],
  ];
}

export function fileBreakdown(
  file: string,
  by: string,
  table: Table,
  notes: readonly string[] = [],
): FileTable {
  return { file, title: `${file} by ${by}`, table, notes };
}

/** Tables of how well a file's confidences are calibrated; warns and returns none for a file without confidences. */
export function fileReliability({ file, reliability, otherReliability = {} }: EvaluationReport): FileTable[] {
  const all = Object.entries({ ...(reliability && { UAS: reliability }), ...otherReliability });
  if (all.length === 0) {
    warn(`${file}: no confidences in MISC; parse --confidence and vote --confidence write them`);
    return [];
  }
  return all.map(([kind, figures]) => {
    const [of, score] = kind === 'UAS' ? [undefined, kind] : [kind, 'Accuracy'];
    const table = reliabilityTable(figures, score);
    const by = of === undefined ? 'confidence' : `confidence of ${of}`;
    return { ...fileBreakdown(file, by, table, [reliabilityNote(figures, score)]), of };
  });
}
