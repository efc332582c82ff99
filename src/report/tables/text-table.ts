import {
  type AlignedCount,
  type AlignedMetric,
  alignedMetrics,
  isSplitOtherwise,
  type TextScores,
} from '../../evaluate/alignment/counts.ts';
import type { SeenTags } from '../../evaluate/attachment/seen-tags.ts';
import { type ColumnOf, figures, type Table, tableOf, text } from './table.ts';

/** A file, or a parser, and its figures of the text. */
export interface NamedText {
  readonly name: string;
  readonly text: TextScores;
}

/** What the table is called. */
export const textTableTitle = "By UD's evaluation: words aligned, relations without subtypes, percent";

/**
 * The metrics of UD's `eval.py`, a row each, where some file's words are not gold's: of one file precision, recall, F1
 * and accuracy among aligned words, of several the F1 of each.
 */
export function alignedTextTable(files: readonly NamedText[]): Table | undefined {
  if (!files.some(({ text }) => isSplitOtherwise(text))) return undefined;
  const columns = files.length === 1 ? wholeColumns(files[0]) : files.map(f1Column);
  return tableOf(alignedMetrics, [[text('metric'), (metric) => metric], ...columns]);
}

function wholeColumns({ text }: NamedText): ColumnOf<AlignedMetric>[] {
  const column = (key: keyof AlignedCount, title: string): ColumnOf<AlignedMetric> => [
    figures(key, title, 2),
    (metric) => text[metric][key],
  ];
  return [
    ...[column('precision', 'precision'), column('recall', 'recall'), column('f1', 'F1')],
    column('alignedAccuracy', 'aligned'),
  ];
}

function f1Column({ name, text }: NamedText): ColumnOf<AlignedMetric> {
  return [figures(name, name, 2), (metric) => text[metric].f1];
}

/** Which tags a parser probably saw: those beside its trees. */
export function tagsText(tags: SeenTags | undefined): string | null {
  if (tags === undefined) return null;
  if (tags.source === 'gold') return 'gold’s own';
  if (tags.source === 'none') return 'none';
  const names = [
    ['UPOS', tags.upos],
    ['XPOS', tags.xpos],
    ['features', tags.feats],
  ] as const;
  const wrong = names.find(([, accuracy]) => accuracy < 100);
  return wrong === undefined ? 'predicted' : `predicted, ${wrong[0]} ${wrong[1].toFixed(2)}`;
}
