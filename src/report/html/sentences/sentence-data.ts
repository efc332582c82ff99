import type { DependencyTree } from '../../../treebank/sentence.ts';

/**
 * The sentences of a page, as small as JSON can be without effort: strings are numbers of entries in a list,
 * the parsers' trees are what differs from gold. Sentences of 12 words with 5 parsers take about 250 bytes.
 */
export interface SentenceData {
  /** Sentences of the treebank, of which some may not be here. */
  readonly total: number;
  readonly parsers: readonly string[];
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  readonly labels: readonly string[];
  readonly sentences: readonly PackedSentence[];
}

/** Numbers of tokens count from 1. */
export interface PackedSentence {
  /** In the treebank, from 1; absent where it is its place among those here. */
  readonly number?: number | undefined;
  readonly id?: string | undefined;
  /** The numbers of the form and the tag of each token, one after the other. */
  readonly words: readonly number[];
  /** The head and the number of the label of each token. */
  readonly gold: readonly number[];
  /** For each parser: token, head and number of the label, wherever they are not those of gold. */
  readonly trees: readonly (readonly number[])[];
  /** The tokens that are not scored. */
  readonly unscored?: readonly number[] | undefined;
}

/** A sentence as the page shows it. All columns have an entry for each token, entry 0 is the artificial root. */
export interface ShownSentence {
  /** From 1. */
  readonly number: number;
  readonly id: string;
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  readonly gold: DependencyTree;
  readonly trees: readonly DependencyTree[];
  readonly scored: Uint8Array;
}

/** The number in the treebank, from 1, of a sentence of the page. */
export function numberOf({ sentences }: SentenceData, index: number): number {
  return sentences[index].number ?? index + 1;
}

export function unpackSentence(data: SentenceData, index: number): ShownSentence {
  const { forms, tags, labels, sentences } = data;
  const { id, words, gold, trees, unscored = [] } = sentences[index];
  const n = words.length / 2;
  const goldTree = { heads: new Int32Array(n + 1).fill(-1), labels: [''] };
  for (let d = 1; d <= n; d++) {
    goldTree.heads[d] = gold[2 * d - 2];
    goldTree.labels[d] = labels[gold[2 * d - 1]];
  }
  const scored = new Uint8Array(n + 1).fill(1, 1);
  for (const d of unscored) scored[d] = 0;
  return {
    number: numberOf(data, index),
    id: id ?? '',
    forms: ['', ...words.filter((_, i) => i % 2 === 0).map((number) => forms[number])],
    tags: ['', ...words.filter((_, i) => i % 2 === 1).map((number) => tags[number])],
    gold: goldTree,
    trees: trees.map((differences) => changed(goldTree, differences, labels)),
    scored,
  };
}

function changed(
  { heads, labels }: DependencyTree,
  differences: readonly number[],
  names: readonly string[],
): DependencyTree {
  const tree = { heads: heads.slice(), labels: [...labels] };
  for (let i = 0; i < differences.length; i += 3) {
    const d = differences[i];
    tree.heads[d] = differences[i + 1];
    tree.labels[d] = names[differences[i + 2]];
  }
  return tree;
}
