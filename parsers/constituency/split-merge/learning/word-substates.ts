import type { TaggedWord } from '../../lexicon/lexicon.ts';
import type { ReadonlyForest } from '../forest/forest.ts';
import type { SplitGrammar } from '../grammar/split-grammar.ts';
import { rowStarts, type WordRows } from '../lexicon/substate-lexicon.ts';
import { Expectation } from './expectation.ts';
import type { WordKinds } from './word-kinds.ts';

/**
 * How often each substate of a tag is expected of each word, and of each class of rare words: row by row.
 *
 * @param words those of the trees, in order
 */
export function expectedSubstates(
  grammar: SplitGrammar,
  trees: readonly ReadonlyForest[],
  words: readonly TaggedWord[],
  kinds: WordKinds,
  rows: WordRows,
): Float32Array {
  const starts = rowStarts(rows, grammar);
  const counts = new Float32Array(starts.at(-1)!);
  const expectation = new Expectation(grammar);
  const { charts } = expectation;
  let next = 0;
  for (const tree of trees) {
    const hasTree = expectation.fill(tree) > 0;
    for (let leaf = 0; leaf < tree.leafCount; leaf++) {
      const { form, state, isFirst } = words[next++];
      if (!hasTree) continue;
      const first = charts.offsets[tree.leaves[leaf]];
      const n = grammar.substates[state];
      let total = 0;
      for (let a = first; a < first + n; a++) total += charts.inside[a] * charts.outside[a];
      for (const row of rows.of(form, isFirst, state)) {
        if (!rows.isWord(row) && !kinds.isRare(form)) continue;
        for (let a = 0; a < n; a++) {
          counts[starts[row] + a] += (charts.inside[first + a] * charts.outside[first + a]) / total;
        }
      }
    }
  }
  return counts;
}
