import type { AnnotatedColumn, MorphologyColumn } from '../../treebank/columns/names.ts';
import { morphologyColumns } from '../../treebank/columns/names.ts';
import { columnOf, type Sentence } from '../../treebank/sentence.ts';
import { type Counterpart, isThere } from '../alignment/counterpart.ts';
import { percent } from '../percent.ts';
import { universalFeatures } from './ud-sentence.ts';

/** The names of the columns' scores in UD's `eval.py`, in its order. */
export const columnScores = {
  upos: 'UPOS',
  xpos: 'XPOS',
  feats: 'UFeats',
  lemmas: 'Lemmas',
} as const satisfies Record<AnnotatedColumn, string>;
export const scoredColumns = Object.keys(columnScores) as AnnotatedColumn[];

/** The accuracy of annotated columns, counted as in `eval.py`. */
export class ColumnCounts {
  private readonly right: Map<AnnotatedColumn, number>;
  private words = 0;

  constructor(columns: readonly AnnotatedColumn[]) {
    this.right = new Map(columns.map((column) => [column, 0]));
  }

  add(gold: Sentence, found: Readonly<Partial<Record<AnnotatedColumn, readonly string[]>>>): void {
    for (const [column, count] of this.right) {
      const right = columnOf(gold, column).filter(
        (value, d) => d > 0 && isRightIn(column, value, found[column]![d]),
      );
      this.right.set(column, count + right.length);
    }
    this.words += gold.length;
  }

  percentages(): [AnnotatedColumn, number][] {
    return [...this.right].map(([column, count]) => [column, percent(count, this.words)]);
  }
}

interface ColumnFiller {
  readonly writes: readonly AnnotatedColumn[];
  annotate(sentence: Sentence): Readonly<Partial<Record<AnnotatedColumn, readonly string[]>>>;
}

/** Computes the accuracy, in percent, of each column that an annotator writes, as `eval.py` does. */
export async function scoreColumns(
  annotator: ColumnFiller,
  gold: AsyncIterable<Sentence>,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const counts = new ColumnCounts(annotator.writes);
  for await (const sentence of gold) {
    signal?.throwIfAborted();
    counts.add(sentence, annotator.annotate(sentence));
  }
  return Object.fromEntries(counts.percentages().map(([column, score]) => [columnScores[column], score]));
}

/** Whether a value is right: only universal features count, and a gold lemma `_` matches any lemma. */
export function isRightIn(column: AnnotatedColumn, gold: string, found: string): boolean {
  if (gold === found) return true;
  if (column === 'feats') return universalFeatures(gold) === universalFeatures(found);
  return column === 'lemmas' && gold === '_';
}

/**
 * The source of the tags that a parser probably read, and their accuracy in its file in percent. FEATS is compared as
 * a whole, as parsers read it; UFeats of `TextScores` is of the universal features only.
 */
export interface SeenTags extends Readonly<Record<MorphologyColumn, number>> {
  /** `gold`: all tags equal the gold tags; `predicted`: some differ; `none`: the parser's file has no tags. */
  readonly source: 'gold' | 'predicted' | 'none';
}

/** Compares the tags in a parser's file with the gold tags. */
export class TagCounts {
  private words = 0;
  private readonly right = { upos: 0, xpos: 0, feats: 0 };
  private readonly inGold = { upos: false, xpos: false, feats: false };
  private readonly inPredicted = { upos: false, xpos: false, feats: false };

  add(gold: Sentence, predicted: Counterpart): void {
    for (let d = 1; d <= gold.length; d++) {
      if (!isThere(predicted, d)) continue;
      this.words++;
      for (const name of morphologyColumns) {
        const [right, own] = [gold[name][d], predicted[name][d]];
        if (own === right) this.right[name]++;
        if (right !== '_') this.inGold[name] = true;
        if (own !== '_') this.inPredicted[name] = true;
      }
    }
  }

  seen(): SeenTags | undefined {
    const { inGold, inPredicted, right, words } = this;
    if (!inGold.upos && !inGold.xpos) return undefined;
    const hasTags = inPredicted.upos || inPredicted.xpos;
    const inBoth = morphologyColumns.filter((name) => inGold[name] && inPredicted[name]);
    const isGold = inBoth.length > 0 && inBoth.every((name) => right[name] === words);
    const [upos, xpos, feats] = morphologyColumns.map((name) =>
      inBoth.includes(name) ? percent(right[name], words) : Number.NaN,
    );
    const source = isGold ? 'gold' : 'predicted';
    return { source: hasTags ? source : 'none', upos, xpos, feats };
  }
}
