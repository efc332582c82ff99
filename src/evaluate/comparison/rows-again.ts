import type { Sentence, Treebank } from '../../treebank/sentence.ts';
import { type AlignedRow, alignedRows } from '../alignment/aligned-rows.ts';
import type { ComparedTree } from '../alignment/counterpart.ts';

/**
 * Tokens of all treebanks together whose sentences are kept: of more, they are read again. Gold and eight
 * parsers' output of UD English EWT dev are 226,000.
 */
const MOST_KEPT = 250_000;

/** A sentence of gold with all parsers' trees. */
export interface ComparedRow {
  readonly gold: Sentence;
  readonly trees: readonly ComparedTree[];
}

/**
 * The rows of gold and several parsers' treebanks, more than once: kept by the first pass where they are few, or
 * where a treebank can be read only once, as from a pipe; else read again.
 */
export class RowsAgain {
  private kept: ComparedRow[] | undefined = [];
  private readonly most: number;

  constructor(
    private readonly gold: Treebank,
    private readonly predicted: readonly Treebank[],
  ) {
    this.most = [gold, ...predicted].some(({ isReadOnce }) => isReadOnce)
      ? Number.POSITIVE_INFINITY
      : MOST_KEPT;
  }

  /** The first pass; throws what `alignedRows` throws. */
  async *first(): AsyncGenerator<AlignedRow> {
    let tokens = 0;
    for await (const row of alignedRows(this.gold, this.predicted)) {
      const { gold, counterparts } = row;
      tokens += gold.length * (1 + counterparts.length);
      if (tokens > this.most) this.kept = undefined;
      const trees = counterparts.map(({ heads, labels, split, phrases }) => ({
        heads,
        labels,
        split,
        phrases,
      }));
      this.kept?.push({ gold, trees });
      yield row;
    }
  }

  /** Another pass, after the first. */
  async *again(): AsyncGenerator<ComparedRow> {
    if (this.kept !== undefined) return yield* this.kept;
    for await (const { gold, counterparts } of alignedRows(this.gold, this.predicted)) {
      yield { gold, trees: counterparts };
    }
  }
}
