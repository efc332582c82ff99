import { type MorphologyColumn, morphologyColumns } from '../../treebank/columns/names.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { type Counterpart, isThere } from '../alignment/counterpart.ts';
import { percent } from '../percent.ts';

/** The tags beside a parser's trees, which it probably saw: their source, and how many of them are right, in percent. */
export interface SeenTags extends Readonly<Record<MorphologyColumn, number>> {
  /**
   * `gold`: the columns that both files have are the same throughout; `predicted`: they are not; `none`: the parser's
   * file has no tags.
   */
  readonly source: 'gold' | 'predicted' | 'none';
}

/** Compares tags and features, as they are, of the words that gold and a parser both have. */
export class TagCounts {
  private words = 0;
  private readonly right = { upos: 0, xpos: 0, feats: 0 };
  private readonly inGold = { upos: false, xpos: false, feats: false };
  private readonly inPredicted = { upos: false, xpos: false, feats: false };

  add(gold: Sentence, predicted: Counterpart): void {
    for (let d = 1; d <= gold.length; d++) if (isThere(predicted, d)) this.words++;
    for (const name of morphologyColumns) this.addColumn(name, gold[name], predicted[name], predicted);
  }

  private addColumn(
    name: MorphologyColumn,
    gold: readonly string[],
    own: readonly string[],
    predicted: Counterpart,
  ): void {
    for (let d = 1; d < gold.length; d++) {
      if (!isThere(predicted, d)) continue;
      if (own[d] === gold[d]) this.right[name]++;
      if (gold[d] !== '_') this.inGold[name] = true;
      if (own[d] !== '_') this.inPredicted[name] = true;
    }
  }

  /** Undefined where gold has no tags to tell by. */
  seen(): SeenTags | undefined {
    const { inGold, inPredicted, right, words } = this;
    if (!inGold.upos && !inGold.xpos) return undefined;
    const hasTags = inPredicted.upos || inPredicted.xpos;
    const inBoth = morphologyColumns.filter((name) => inGold[name] && inPredicted[name]);
    const isGold = inBoth.length > 0 && inBoth.every((name) => right[name] === words);
    const figure = (name: MorphologyColumn) =>
      inBoth.includes(name) ? percent(right[name], words) : Number.NaN;
    return {
      source: hasTags ? (isGold ? 'gold' : 'predicted') : 'none',
      ...{ upos: figure('upos'), xpos: figure('xpos'), feats: figure('feats') },
    };
  }
}
