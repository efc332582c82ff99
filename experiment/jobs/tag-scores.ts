import { ColumnCounts, scoredColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { isFilled } from '../../src/treebank/sentence.ts';
import type { JobResult } from './job-result.ts';
import { defined } from './rule-scores.ts';
import type { Trees } from './trees.ts';

/** How good the tags and lemmas are that the sentences have, in the columns that the gold ones have. */
export function tagScores({ gold, predicted }: Pick<Trees, 'gold' | 'predicted'>): JobResult['tags'] {
  const counts = new ColumnCounts(
    scoredColumns.filter((column) => gold.some((sentence) => isFilled(sentence[column]))),
  );
  gold.forEach((sentence, i) => {
    counts.add(sentence, predicted[i]);
  });
  return Object.fromEntries(counts.percentages().map(([column, score]) => [column, defined(score)]));
}
