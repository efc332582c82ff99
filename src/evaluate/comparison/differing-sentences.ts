import { type ComparedSentence, isRight } from '../compared-sentence.ts';
import type { DifferingSentence } from './comparison.ts';

/**
 * The sentences that some parser does better than another, first those with the largest difference in right
 * arcs between the best and the worst parser, then those with the most disputed tokens, then the earlier.
 */
export function differingSentences(
  sentences: readonly ComparedSentence[],
  { limit, labelled }: { readonly limit?: number | undefined; readonly labelled: boolean },
): DifferingSentence[] {
  return sentences
    .map((sentence, i) => differences(sentence, i + 1, labelled))
    .filter((sentence) => spread(sentence) > 0)
    .sort((x, y) => spread(y) - spread(x) || y.disputed - x.disputed || x.sentence - y.sentence)
    .slice(0, limit);
}

function spread({ arcs }: DifferingSentence): number {
  return Math.max(...arcs) - Math.min(...arcs);
}

function differences(
  { gold, trees, scored }: ComparedSentence,
  number: number,
  labelled: boolean,
): DifferingSentence {
  const heads = trees.map(() => 0);
  const arcs = trees.map(() => 0);
  let disputed = 0;
  for (let d = 1; d <= gold.length; d++) {
    if (scored[d] === 0) continue;
    trees.forEach((tree, parser) => {
      if (isRight(gold, tree, d, false)) heads[parser]++;
      if (isRight(gold, tree, d, labelled)) arcs[parser]++;
    });
    if (trees.some((tree) => !isRight(trees[0], tree, d, labelled))) disputed++;
  }
  const text = gold.forms.slice(1).join(' ');
  const counted = scored.reduce((a, b) => a + b, 0);
  return { sentence: number, id: gold.id, text, scored: counted, heads, arcs, disputed };
}
