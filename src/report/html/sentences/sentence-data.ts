import { flatten } from '../../../evaluate/parseval/flat-tree.ts';
import { annotatedColumns } from '../../../treebank/columns/names.ts';

import type { PhraseTree } from '../../../treebank/phrases/phrase-tree.ts';
import type { DependencyTree } from '../../../treebank/sentence.ts';

/** The columns that queries can ask for, besides forms, heads and labels. */
export const queriedColumns = [...annotatedColumns, 'misc'] as const;
type QueriedColumn = (typeof queriedColumns)[number];

/** The sentences of a page in compact JSON: strings are indices into lists, parsers' trees are differences from gold. */
export interface SentenceData
  extends Readonly<Record<'parsers' | 'forms' | 'tags' | 'labels', readonly string[]>> {
  /** Number of sentences in the treebank; the page may have fewer. */
  readonly total: number;
  readonly phraseLabels?: readonly string[] | undefined;
  /** Values of the columns that queries can ask for. */
  readonly values?: readonly string[] | undefined;
  readonly sentences: readonly PackedSentence[];
}

/** A sentence in compact JSON; tokens are numbered from 1. */
export interface PackedSentence {
  /** Number in the treebank, from 1; absent if equal to its position here. */
  readonly number?: number | undefined;
  readonly id?: string | undefined;
  /** The original text; absent if unknown or equal to the words joined by spaces. */
  readonly text?: string | undefined;
  /** Form and tag of each token, as indices. */
  readonly words: readonly number[];
  /** Gold columns for queries, as indices; absent if they are empty. */
  readonly columns?: Readonly<Partial<Record<QueriedColumn, readonly number[]>>> | undefined;
  /** Head and label index of each token. */
  readonly gold: readonly number[];
  /** For each parser: token, head and label index wherever they differ from gold. */
  readonly trees: readonly (readonly number[])[];
  readonly unscored?: readonly number[] | undefined;
  /** By parser, its words if they differ from gold's, else null; absent if all parsers have gold's words. */
  readonly own?: readonly (PackedWords | null)[] | undefined;
  /** Phrase-structure trees; null for a parser whose tree equals gold's. */
  readonly phrases?:
    | { readonly gold: PackedPhrases; readonly trees: readonly (PackedPhrases | null)[] }
    | undefined;
}

/** The words into which a parser splits the text of a gold sentence; several sentences are concatenated. */
export interface PackedWords {
  readonly words: readonly number[];
  /** Head and label index of each word. */
  readonly arcs: readonly number[];
  /** The number of each word in gold; 0: not in gold, −1: in another gold sentence. */
  readonly counterparts: readonly number[];
}

/** A sentence as the page shows it. Columns have an entry per token; entry 0 is the artificial root. */
export interface ShownSentence {
  readonly number: number;
  readonly id: string;
  readonly text?: string | undefined;
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  /** Gold columns that are not empty. */
  readonly columns?: Readonly<Partial<Record<QueriedColumn, readonly string[]>>> | undefined;
  readonly gold: DependencyTree;
  readonly trees: readonly DependencyTree[];
  readonly scored: Uint8Array;
  /** Confidence in each arc, from 0 to 1: of the gold tree, then of each parser's tree, if known. */
  readonly confidences?: readonly (readonly number[] | undefined)[] | undefined;
  /** By parser, its words and tree if the words differ from gold's; absent if all parsers have gold's words. */
  readonly own?: readonly (ShownWords | undefined)[] | undefined;
  readonly phrases?: { readonly gold: PhraseTree; readonly trees: readonly PhraseTree[] } | undefined;
}

interface ShownWords extends Pick<ShownSentence, 'forms' | 'tags'> {
  readonly tree: DependencyTree;
  readonly counterparts: readonly number[];
}

/** Returns a sentence's number in the treebank, from 1. */
export const numberOf = ({ sentences }: SentenceData, index: number): number =>
  sentences[index].number ?? index + 1;

export function unpackSentence(data: SentenceData, index: number): ShownSentence {
  const { labels, sentences } = data;
  const { id, text, words, columns, gold, trees, unscored = [], own, phrases } = sentences[index];
  const valuesOf = (numbers: readonly number[]) => ['', ...numbers.map((number) => data.values![number])];
  const goldTree = unpackTree(gold, labels);
  const scored = new Uint8Array(goldTree.heads.length).fill(1, 1);
  for (const d of unscored) scored[d] = 0;
  const shownWords = unpackWords(words, data);
  const unpacked = (tree: PackedPhrases) => unpackPhrases(tree, shownWords.forms, data.phraseLabels ?? []);
  return {
    number: numberOf(data, index),
    id: id ?? '',
    text,
    ...shownWords,
    ...(columns && {
      columns: Object.fromEntries(
        Object.entries(columns).map(([name, numbers]) => [name, valuesOf(numbers)]),
      ),
    }),
    gold: goldTree,
    trees: trees.map((differences) => changed(goldTree, differences, labels)),
    scored,
    ...(own && { own: own.map((packed) => (packed === null ? undefined : unpackOwn(packed, data))) }),
    ...(phrases && {
      phrases: {
        gold: unpacked(phrases.gold),
        trees: phrases.trees.map((packed) => unpacked(packed ?? phrases.gold)),
      },
    }),
  };
}

function unpackOwn({ words, arcs, counterparts }: PackedWords, data: SentenceData): ShownWords {
  const tree = unpackTree(arcs, data.labels);
  return { ...unpackWords(words, data), tree, counterparts: [0, ...counterparts] };
}

function unpackWords(words: readonly number[], { forms, tags }: SentenceData) {
  return {
    forms: ['', ...words.filter((_, i) => i % 2 === 0).map((number) => forms[number])],
    tags: ['', ...words.filter((_, i) => i % 2 === 1).map((number) => tags[number])],
  };
}

function unpackTree(arcs: readonly number[], labels: readonly string[]): DependencyTree {
  return {
    heads: Int32Array.of(-1, ...arcs.filter((_, i) => i % 2 === 0)),
    labels: ['', ...arcs.filter((_, i) => i % 2 === 1).map((number) => labels[number])],
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

/** A phrase-structure tree over known words; labels are indices into a list. */
interface PackedPhrases {
  /** Label index, start and end (in words) of each bracket, outer ones first. */
  readonly brackets: readonly number[];
  readonly tags: readonly number[];
}

/** Packs a tree without function tags and empty elements. */
export function packPhrases(tree: PhraseTree, numberOf: (label: string) => number): PackedPhrases {
  const { brackets, tags } = flatten({ tree });
  return {
    brackets: brackets.flatMap(({ label, start, end }) => [numberOf(label), start, end]),
    tags: tags.slice(1).map(numberOf),
  };
}

type Node = { readonly label: string; readonly form?: string; readonly children: Node[] };

/** @param forms the words, from index 1 */
export function unpackPhrases(
  { brackets, tags }: PackedPhrases,
  forms: readonly string[],
  labels: readonly string[],
): PhraseTree {
  const root: Node = { label: '', children: [] };
  const innermost: Node[] = tags.map(() => root);
  const starts = new Map<Node, number>();
  const open = [{ node: root, end: tags.length }];
  const place = (node: Node, parent: Node, start: number) => {
    parent.children.push(node);
    starts.set(node, start);
  };
  for (let i = 0; i < brackets.length; i += 3) {
    const [label, start, end] = brackets.slice(i, i + 3);
    while (open.at(-1)!.end <= start) open.pop();
    const node: Node = { label: labels[label], children: [] };
    place(node, open.at(-1)!.node, start);
    open.push({ node, end });
    innermost.fill(node, start, end);
  }
  tags.forEach((tag, d) => {
    place({ label: labels[tag], form: forms[d + 1], children: [] }, innermost[d], d);
  });
  for (const node of new Set(innermost)) node.children.sort((x, y) => starts.get(x)! - starts.get(y)!);
  return root.children.length === 1 ? root.children[0] : root;
}
