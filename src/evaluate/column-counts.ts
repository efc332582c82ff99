import type { AnnotatedColumn } from '../treebank/columns/names.ts';
import { columnOf, type Sentence } from '../treebank/sentence.ts';
import { universalFeatures } from './attachment/universal.ts';
import { percent } from './percent.ts';

/** The names of the columns' scores in UD's `eval.py`, in its order. */
export const columnScores = {
  upos: 'UPOS',
  xpos: 'XPOS',
  feats: 'UFeats',
  lemmas: 'Lemmas',
} as const satisfies Record<AnnotatedColumn, string>;
export const scoredColumns = Object.keys(columnScores) as AnnotatedColumn[];

/** How many words have the right value in some columns, as UD's `eval.py` counts. */
export class ColumnCounts {
  private readonly right: Map<AnnotatedColumn, number>;
  private words = 0;

  constructor(columns: readonly AnnotatedColumn[]) {
    this.right = new Map(columns.map((column) => [column, 0]));
  }

  add(gold: Sentence, found: Readonly<Partial<Record<AnnotatedColumn, readonly string[]>>>): void {
    for (const [column, count] of this.right) {
      this.right.set(column, count + countRight(column, columnOf(gold, column), found[column]!));
    }
    this.words += gold.length;
  }

  /** In percent, of each column. */
  percentages(): [AnnotatedColumn, number][] {
    return [...this.right].map(([column, count]) => [column, percent(count, this.words)]);
  }
}

function countRight(column: AnnotatedColumn, gold: readonly string[], found: readonly string[]): number {
  let count = 0;
  for (let i = 1; i < gold.length; i++) if (isRight(column, gold[i], found[i])) count++;
  return count;
}

/** Of features only the universal ones count; a word without a lemma may have any. */
function isRight(column: AnnotatedColumn, gold: string, found: string): boolean {
  if (gold === found) return true;
  if (column === 'feats') return universalFeatures(gold) === universalFeatures(found);
  return column === 'lemmas' && gold === '_';
}
