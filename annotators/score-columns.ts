import { ColumnCounts, columnScores } from '../src/evaluate/attachment/column-counts.ts';
import type { NamedScores } from '../src/training/training-run.ts';
import type { Treebank } from '../src/treebank/sentence.ts';
import type { ColumnAnnotator } from './annotator.ts';

/** Accuracy, in percent, of each column that an annotator writes, counted as by `eval.py`. */
export async function scoreColumns(
  annotator: ColumnAnnotator,
  gold: Treebank,
  signal?: AbortSignal,
): Promise<NamedScores> {
  const counts = new ColumnCounts(annotator.writes);
  for await (const sentence of gold) {
    signal?.throwIfAborted();
    counts.add(sentence, annotator.annotate(sentence));
  }
  return Object.fromEntries(counts.percentages().map(([column, score]) => [columnScores[column], score]));
}
