import type { SeenTags } from '../../evaluate/attachment/column-counts.ts';
import type { AlignedCount, AlignedMetric, TextScores } from '../../evaluate/attachment/ud-counts.ts';
import { alignedMetrics, isSplitOtherwise } from '../../evaluate/attachment/ud-counts.ts';
import type { Reliability, ReliabilityBin } from '../../evaluate/breakdowns/reliability.ts';
import { type ColumnOf, figures, parserFigures, signed, type Table, tableOf, text } from './table.ts';

type NamedText = { readonly name: string; readonly text: TextScores };
export const textTableTitle = 'UD evaluation: aligned words, relations without subtypes, percent';

/** The metrics of UD's `eval.py`, if a file's words differ from gold's: all figures of one file, or F1 of several. */
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
  const scores = [column('precision', 'precision'), column('recall', 'recall'), column('f1', 'F1')];
  return [...scores, column('alignedAccuracy', 'aligned')];
}

const f1Column = ({ name, text }: NamedText): ColumnOf<AlignedMetric> => [
  parserFigures(name, 2),
  (metric) => text[metric].f1,
];

export const splitNote =
  'Aligned words are compared. UAS, LAS and LAA are F1 scores; a gold word that a parser lacks is wrong.';

export const tagsNote =
  'The tags in a parser’s file, which it probably saw, and their accuracy on aligned words. ' +
  'Features: FEATS as a whole, not only the universal features (UFeats).';

export function tagsText({ source, upos, xpos, feats }: SeenTags): string {
  const shares = { UPOS: upos, XPOS: xpos, features: feats };
  const wrong = Object.entries(shares).find(([, share]) => share < 100);
  return wrong === undefined ? source : `${source}, ${wrong[0]} ${wrong[1].toFixed(2)}`;
}

const UAS = 'UAS';

/** @param score name of the accuracy that the confidences predict: `UAS` for arcs, another one for words */
export function reliabilityTable({ bins }: Reliability, score = UAS): Table {
  const filled = bins.filter(({ arcs }) => arcs > 0);
  return tableOf<ReliabilityBin>(filled, [
    text('bucket', 'confidence'),
    figures('arcs', score === UAS ? 'arcs' : 'words', 0),
    figures('confidence', 'mean', 2),
    figures('uas', score, 2),
  ]);
}

export function reliabilityNote({ calibrationError, uas, uasWithoutLeast }: Reliability, score = UAS) {
  const items = score === UAS ? 'arcs' : 'words';
  const error = `Expected calibration error: ${calibrationError.toFixed(2)} points`;
  return `${error}. ${score} without the 10% of ${items} with the lowest confidence: ${uasWithoutLeast.toFixed(2)} (${signed(uasWithoutLeast - uas)}).`;
}
