import type { DependencyTree, Sentence, Treebank } from '../../treebank/sentence.ts';
import { type Row, treeRows } from '../lock-step.ts';

/**
 * Tokens of all treebanks together whose sentences are kept: of more, they are read again. Gold and eight
 * parsers' output of UD English EWT dev are 226,000.
 */
const MOST_KEPT = 250_000;

/** A sentence of gold with all parsers' trees. */
export interface ComparedRow {
  readonly gold: Sentence;
  readonly trees: readonly DependencyTree[];
}

/**
 * The rows of gold and several parsers' treebanks, more than once: kept by the first pass where they are few, or
 * where a treebank can be read only once, as from a pipe; else read again.
 */
export class RowsAgain {
  private kept: ComparedRow[] | undefined = [];
  private readonly most: number;

  constructor(private readonly treebanks: readonly Treebank[]) {
    this.most = treebanks.some(({ isReadOnce }) => isReadOnce) ? Number.POSITIVE_INFINITY : MOST_KEPT;
  }

  /** The first pass; throws what `treeRows` throws. */
  async *first(): AsyncGenerator<Row<Sentence>> {
    let tokens = 0;
    for await (const row of treeRows(this.treebanks)) {
      const [gold, ...trees] = row.sentences;
      tokens += gold.length * row.sentences.length;
      if (tokens > this.most) this.kept = undefined;
      this.kept?.push({ gold, trees: trees.map(({ heads, labels }) => ({ heads, labels })) });
      yield row;
    }
  }

  /** Another pass, after the first. */
  async *again(): AsyncGenerator<ComparedRow> {
    if (this.kept !== undefined) return yield* this.kept;
    for await (const { sentences } of treeRows(this.treebanks)) {
      const [gold, ...trees] = sentences;
      yield { gold, trees };
    }
  }
}
