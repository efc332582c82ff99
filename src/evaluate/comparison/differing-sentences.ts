import { detached } from '../../encoding/vocabulary.ts';
import { type ComparedSentence, isRight } from '../compared-sentence.ts';
import type { DifferingSentence } from './comparison.ts';

/**
 * The sentences that some parser does better than another, first those with the largest difference in right
 * arcs between the best and the worst parser, then those with the most disputed tokens, then the earlier.
 */
export class DifferingSentences {
  private found: DifferingSentence[] = [];
  private sentences = 0;

  /** @param labelled whether gold has labels: without, right heads count */
  constructor(
    private readonly labelled: boolean,
    private readonly limit = Number.POSITIVE_INFINITY,
  ) {}

  add({ gold, trees, scored }: ComparedSentence): void {
    const sentence = ++this.sentences;
    const counts = countRight({ gold, trees, scored }, this.labelled);
    if (spread(counts) === 0) return;
    const { id, forms } = gold;
    const text = forms.slice(1).join(' ');
    this.found.push({ sentence, id: id === undefined ? id : detached(id), text, ...counts });
    // Sorted now and then, so that no more than twice as many are kept as are wanted.
    if (this.found.length >= 2 * this.limit) this.found = this.first();
  }

  /** As many as the limit. */
  first(): DifferingSentence[] {
    return this.found
      .toSorted((x, y) => spread(y) - spread(x) || y.disputed - x.disputed || x.sentence - y.sentence)
      .slice(0, this.limit);
  }
}

type RightCounts = Pick<DifferingSentence, 'scored' | 'heads' | 'arcs' | 'disputed'>;

function spread({ arcs }: RightCounts): number {
  return Math.max(...arcs) - Math.min(...arcs);
}

function countRight({ gold, trees, scored }: ComparedSentence, labelled: boolean): RightCounts {
  const heads = trees.map(() => 0);
  const arcs = trees.map(() => 0);
  let tokens = 0;
  let disputed = 0;
  for (let d = 1; d <= gold.length; d++) {
    if (scored[d] === 0) continue;
    tokens++;
    let differ = false;
    for (let parser = 0; parser < trees.length; parser++) {
      if (isRight(gold, trees[parser], d, false)) heads[parser]++;
      if (isRight(gold, trees[parser], d, labelled)) arcs[parser]++;
      differ ||= !isRight(trees[0], trees[parser], d, labelled);
    }
    if (differ) disputed++;
  }
  return { scored: tokens, heads, arcs, disputed };
}
