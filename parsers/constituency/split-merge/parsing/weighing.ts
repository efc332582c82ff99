import type { ReadonlyForest } from '../forest/forest.ts';
import { InsideOutside } from '../forest/inside-outside.ts';
import type { SplitGrammar } from '../grammar/split-grammar.ts';
import type { SubstateLexicon } from '../lexicon/substate-lexicon.ts';
import type { FineWord } from './word-probabilities.ts';

/** The words of a sentence, or of a chunk of one, as the grammars see them. */
export interface Words {
  readonly forms: readonly string[];
  readonly fine: readonly FineWord[];
  /** Whether the first of them begins a sentence. */
  readonly isStart: boolean;
  /** What their probabilities are multiplied by. */
  readonly boost: number;
}

/** Says how probable the edges of a forest are by one grammar. */
export class Weighing {
  /** [edge]: the probability of all trees with it together. */
  weights = new Float64Array(0);
  /** How probable all trees are together. */
  total = 0;
  private readonly charts: InsideOutside;
  private ratios = new Float64Array(0);

  /** `lexicon`: how the substates of tags share in words, where they are split. */
  constructor(
    grammar: SplitGrammar,
    private readonly lexicon?: SubstateLexicon,
  ) {
    this.charts = new InsideOutside(grammar);
    this.ratios = new Float64Array(grammar.substates.reduce((most, n) => Math.max(most, n), 1)).fill(1);
  }

  /** Fills in weights and total; false where there is no tree. */
  weigh(forest: ReadonlyForest, words: Words): boolean {
    const { charts } = this;
    if (forest.root === -1) return false;
    charts.place(forest);
    this.fillLeaves(forest, words);
    this.total = charts.fillInside(forest);
    if (!(this.total > 0 && this.total < Number.POSITIVE_INFINITY)) return false;
    if (this.weights.length < forest.edgeCount) this.weights = new Float64Array(2 * forest.edgeCount);
    charts.fillOutside(forest, this.weights);
    return true;
  }

  private fillLeaves({ leafCount, leaves, words, symbols }: ReadonlyForest, own: Words): void {
    const { inside, offsets } = this.charts;
    const { ratios } = this;
    for (let leaf = 0; leaf < leafCount; leaf++) {
      const word = words[leaf];
      const symbol = symbols[leaves[leaf]];
      const { states, probabilities } = own.fine[word];
      const p = probabilities[states.indexOf(symbol)] * own.boost;
      this.lexicon?.ratios(own.forms[word], word === 0 && own.isStart, symbol, ratios);
      const first = offsets[leaves[leaf]];
      for (let at = first; at < offsets[leaves[leaf] + 1]; at++) inside[at] = p * ratios[at - first];
    }
  }
}
