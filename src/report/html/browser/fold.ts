import { isRight } from '../../../evaluate/compared-sentence.ts';
import type { DependencyTree } from '../../../treebank/sentence.ts';
import { headsFirst } from '../../../treebank/tree.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';

/** Sentences with more words are folded. */
export const longSentence = 25;
/** Minimum number of words of a subtree to fold. */
const leastFolded = 4;

/**
 * Replaces each gold subtree that all drawn trees (−1: gold) share by one word `[first … last]`, unless it has a
 * `matching` word; undefined if there is no such subtree, words differ, or no word is wrong or matches.
 */
export function foldSentence(sentence: ShownSentence, drawn: readonly number[], matching: readonly number[]) {
  const parsers = drawn.filter((parser) => parser >= 0);
  if (parsers.some((parser) => sentence.own?.[parser] !== undefined)) return undefined;
  const trees = parsers.map((parser) => sentence.trees[parser]);
  const { gold } = sentence;
  const isShown = gold.heads.map((_, d) =>
    Number(matching.includes(d) || trees.some((tree) => d > 0 && !isRight(gold, tree, d, true))),
  );
  if (!isShown.includes(1)) return undefined;
  const groups = groupsOf(gold, trees, isShown);
  const hidden = groups.reduce((sum, { first, last }) => sum + last - first, 0);
  if (hidden === 0) return undefined;
  const { numbers, words } = renumbered(gold.heads.length, groups);
  return {
    sentence: {
      ...sentence,
      forms: words.map(({ d, group }) => (group === undefined ? sentence.forms[d] : formOf(sentence, group))),
      tags: words.map(({ d }) => sentence.tags[d]),
      gold: foldTree(gold, words, numbers),
      trees: sentence.trees.map((tree) => foldTree(tree, words, numbers)),
      scored: Uint8Array.from(words, ({ d }) => sentence.scored[d]),
      own: undefined,
    },
    matching: matching.map((d) => numbers[d]),
    hidden,
  };
}

/** Adjacent words to fold: a subtree with its root. */
type Group = { readonly root: number; readonly first: number; readonly last: number };

function groupsOf(gold: DependencyTree, trees: readonly DependencyTree[], isShown: ArrayLike<number>) {
  const n = gold.heads.length - 1;
  const first = Int32Array.from(gold.heads, (_, d) => d);
  const last = first.slice();
  const size = new Int32Array(n + 1).fill(1);
  const isShared = new Uint8Array(n + 1).fill(1); // whether all trees share gold's subtree of the word
  const order = headsFirst(gold.heads);
  for (const d of order.toReversed()) {
    const h = gold.heads[d];
    if (trees.some(({ heads }) => heads.some((head, other) => head === d && gold.heads[other] !== d))) {
      if (h > 0) isShared[h] = 0;
    }
    if (h <= 0) continue;
    first[h] = Math.min(first[h], first[d]);
    last[h] = Math.max(last[h], last[d]);
    size[h] += size[d];
    if (isShared[d] === 0 || isShown[d] === 1) isShared[h] = 0;
  }
  const groups: Group[] = [];
  const isFolded = new Uint8Array(n + 1);
  for (const d of order) {
    if (gold.heads[d] > 0 && isFolded[gold.heads[d]] === 1) isFolded[d] = 1;
    else if (isShared[d] === 1 && size[d] >= leastFolded && last[d] - first[d] + 1 === size[d]) {
      isFolded[d] = 1;
      groups.push({ root: d, first: first[d], last: last[d] });
    }
  }
  return groups.sort((x, y) => x.first - y.first);
}

/** A word of the folded sentence: word d, or the group that it is the root of. */
type FoldedWord = { readonly d: number; readonly group?: Group | undefined };

/** Returns the remaining words, and the new number of every word. */
function renumbered(length: number, groups: readonly Group[]) {
  const words: FoldedWord[] = [];
  const numbers = new Int32Array(length);
  let next = 0;
  for (let d = 0; d < length; d++) {
    const group = groups[next];
    if (group === undefined || d < group.first) {
      numbers[d] = words.length;
      words.push({ d });
      continue;
    }
    numbers.fill(words.length, group.first, group.last + 1);
    words.push({ d: group.root, group });
    d = group.last;
    next++;
  }
  return { words, numbers };
}

function foldTree({ heads, labels }: DependencyTree, words: readonly FoldedWord[], numbers: Int32Array) {
  return {
    heads: Int32Array.from(words, ({ d }) => (heads[d] > 0 ? numbers[heads[d]] : heads[d])),
    labels: words.map(({ d }) => labels[d]),
  };
}

const formOf = ({ forms }: ShownSentence, { first, last }: Group) => `[${forms[first]} … ${forms[last]}]`;
