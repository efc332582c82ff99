import { universalFeatures } from '../src/evaluate/attachment/universal.ts';
import { percent } from '../src/evaluate/percent.ts';
import type { NamedScores } from '../src/training/training-run.ts';
import { columnOf } from '../src/treebank/column-of.ts';
import type { Treebank } from '../src/treebank/sentence.ts';
import type { ColumnAnnotator } from './annotator.ts';

/** What columns are called when they are scored, as UD's `eval.py` does. */
const titles = { upos: 'UPOS', xpos: 'XPOS', feats: 'UFeats', lemmas: 'Lemmas' } as const;
type Column = keyof typeof titles;

/** How many words have the right value in each column that an annotator fills, in percent, as `eval.py` counts. */
export async function scoreColumns(
  annotator: ColumnAnnotator,
  gold: Treebank,
  signal?: AbortSignal,
): Promise<NamedScores> {
  const right = new Map<Column, number>(annotator.writes.map((column) => [column, 0]));
  let words = 0;
  for await (const sentence of gold) {
    signal?.throwIfAborted();
    const found = annotator.annotate(sentence);
    for (const [column, count] of right) {
      right.set(column, count + countRight(column, columnOf(sentence, column), found[column]!));
    }
    words += sentence.length;
  }
  return Object.fromEntries([...right].map(([column, count]) => [titles[column], percent(count, words)]));
}

function countRight(column: Column, gold: readonly string[], found: readonly string[]): number {
  let count = 0;
  for (let i = 1; i < gold.length; i++) if (isRight(column, gold[i], found[i])) count++;
  return count;
}

/** Of features only the universal ones count; a word without a lemma may have any. */
function isRight(column: Column, gold: string, found: string): boolean {
  if (gold === found) return true;
  if (column === 'feats') return universalFeatures(gold) === universalFeatures(found);
  return column === 'lemmas' && gold === '_';
}
